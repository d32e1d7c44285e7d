import { createSocket, type RemoteInfo } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { cut } from '../../core/index.ts'
import { isLocal, sameAddress } from '../../site/index.ts'
import { all, MOST_XML_BYTES, readXml, textOf } from './xml.ts'

/** Where devices of a network listen for who looks for them (WS-Discovery). */
const GROUP = { address: '239.255.255.250', port: 3702 }
const LISTEN_MS = 3_000
/** More answers than a network of cameras gives are somebody's joke. */
const MOST_ANSWERS = 256

/** A camera that answered: where its device service is, and what it calls itself. */
export interface FoundCamera {
  url: string
  name: string | null
}

/** Calls into the networks of this box, once, and hears who has cameras to offer. Each speaks for its own address only. */
export async function discover(
  signal: AbortSignal,
  to = GROUP,
  listenMs = LISTEN_MS,
): Promise<FoundCamera[]> {
  const answers: { bytes: Uint8Array; from: string }[] = []
  const take = (bytes: Uint8Array, { address }: RemoteInfo) => {
    const isFit = bytes.byteLength <= MOST_XML_BYTES && answers.length < MOST_ANSWERS && isLocal(address)
    if (isFit) answers.push({ bytes: new Uint8Array(bytes), from: address })
  }
  await listen(probe(), to, take, AbortSignal.any([signal, AbortSignal.timeout(listenMs)]))
  const found = new Map<string, FoundCamera>()
  for (const { bytes, from } of answers)
    for (const camera of await camerasIn(bytes, from)) found.set(camera.url, camera)
  return [...found.values()].sort((a, b) => a.url.localeCompare(b.url, 'en', { numeric: true }))
}

function listen(
  question: string,
  { address, port }: typeof GROUP,
  take: (bytes: Uint8Array, from: RemoteInfo) => void,
  signal: AbortSignal,
): Promise<void> {
  // One for each network: what is sent to a group leaves by one of them.
  const own = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  const sources = own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(it => it.address)
  const sockets = (sources.length ? sources : ['0.0.0.0']).slice(0, 16).map(source => {
    const socket = createSocket('udp4')
    socket.on('message', take)
    // A network that lets nobody call into it has no cameras for us.
    socket.on('error', () => undefined)
    socket.bind(0, () => {
      try {
        if (source !== '0.0.0.0') socket.setMulticastInterface(source)
        socket.send(question, port, address, () => undefined)
      } catch {
        // It went away.
      }
    })
    return socket
  })
  return new Promise(resolve => {
    const end = () => {
      for (const socket of sockets) socket.close()
      resolve()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

async function camerasIn(bytes: Uint8Array, from: string): Promise<FoundCamera[]> {
  const matches = all(await readXml(bytes), 'ProbeMatch')
  return matches.slice(0, 8).flatMap(match => {
    const places = (textOf(match, 'XAddrs') ?? '').split(/\s+/).flatMap(each => URL.parse(each) ?? [])
    const place = places.find(
      ({ protocol, hostname, username }) =>
        /^https?:$/.test(protocol) && !username && sameAddress(hostname, from),
    )
    if (!place) return []
    const scopes = (textOf(match, 'Scopes') ?? '').split(/\s+/)
    const said = (what: string) => scopes.find(each => each.includes(`/${what}/`))?.split(`/${what}/`)[1]
    const name = [said('name'), said('hardware')].flatMap(each => (each ? plain(each) : []))
    return [{ url: cut(place.href, 500), name: name.length ? cut(name.join(' '), 100) : null }]
  })
}

function plain(scope: string): string {
  try {
    return decodeURIComponent(scope)
      .replace(/[\p{C}]/gu, ' ')
      .trim()
  } catch {
    return scope
  }
}

const probe = () => `<?xml version="1.0" encoding="utf-8"?>
<e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope" xmlns:w="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:n="http://www.onvif.org/ver10/network/wsdl"><e:Header><w:MessageID>uuid:${crypto.randomUUID()}</w:MessageID><w:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</w:To><w:Action>http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe</w:Action></e:Header><e:Body><d:Probe><d:Types>n:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>`
