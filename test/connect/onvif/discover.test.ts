import { createSocket } from 'node:dgram'
import { expect, onTestFinished, test } from 'vitest'
import { discover } from '../../../src/connect/index.ts'

const answer = (addresses: string, scopes = '') =>
  `<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery"><e:Body><d:ProbeMatches><d:ProbeMatch><d:Scopes>${scopes}</d:Scopes><d:XAddrs>${addresses}</d:XAddrs></d:ProbeMatch></d:ProbeMatches></e:Body></e:Envelope>`

/** Somebody in the network who answers whatever is called into it. */
async function network(...answers: (string | Uint8Array)[]) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (bytes, from) => {
    asked.push(bytes.toString())
    for (const each of answers) socket.send(each, from.port, from.address)
  })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    socket.close()
  })
  return { asked, to: { address: '127.0.0.1', port: socket.address().port } }
}

test('cameras that answer are found where they are, each by its name and once', async () => {
  const gate = answer(
    'http://[fe80::1]/onvif http://127.0.0.1:8000/onvif/device_service',
    'onvif://www.onvif.org/name/Gate%20cam onvif://www.onvif.org/hardware/X1',
  )
  const { asked, to } = await network(gate, gate, answer('http://127.0.0.1/onvif/device_service'))
  const found = await discover(new AbortController().signal, to, 300)
  expect(asked[0]).toContain('NetworkVideoTransmitter')
  expect(found).toEqual([
    { url: 'http://127.0.0.1:8000/onvif/device_service', name: 'Gate cam X1' },
    { url: 'http://127.0.0.1/onvif/device_service', name: null },
  ])
})

test('who speaks for another address, or no XML, is not heard', async () => {
  const { to } = await network(
    answer('http://10.0.0.9/onvif/device_service'),
    answer('file:///etc/passwd'),
    answer('http://root:root@127.0.0.1/'),
    '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;',
    new Uint8Array([0xff, 0xfe, 0]),
  )
  expect(await discover(new AbortController().signal, to, 300)).toEqual([])
})
