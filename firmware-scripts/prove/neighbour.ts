/**
 * What runs on the machine at the other end of the cable, as a program: `neighbour.ts PORT ADDRESS` serves at a port, and
 * is a camera that answers at ADDRESS to whoever calls into the network (WS-Discovery).
 */
import { createSocket } from 'node:dgram'

const [port, address = ''] = process.argv.slice(2)
let requests = 0
const scopes = 'onvif://www.onvif.org/name/Neighbour'
const camera = `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery"><e:Body><d:ProbeMatches><d:ProbeMatch><d:Scopes>${scopes}</d:Scopes><d:XAddrs>http://${address}/onvif/device_service</d:XAddrs></d:ProbeMatch></d:ProbeMatches></e:Body></e:Envelope>`

const socket = createSocket({ type: 'udp4', reuseAddr: true })
socket.on('message', (_, from) => socket.send(camera, from.port, from.address))
socket.bind(3702, () => {
  socket.addMembership('239.255.255.250', address)
  Bun.serve({
    port: Number(port),
    hostname: '0.0.0.0',
    fetch(request) {
      if (request.url.endsWith('/count')) return new Response(String(requests))
      requests++
      return new Response('')
    },
  })
})
