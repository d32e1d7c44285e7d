import { lookup } from 'node:dns/promises'
import { isIP, type Socket, connect as tcp } from 'node:net'
import { connect as tls } from 'node:tls'
import { refusalOf } from '../../site/index.ts'
import { TooLarge, watchSizes } from './sizes.ts'

/** A broker's port where its address does not say. */
const PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 }
/** Larger is none of our messages: our own list of entities comes back to us once. */
const MOST_BYTES = 2 * 1024 * 1024

/** The addresses of a broker, looked up once, all of them allowed. Rejects with one line for people. */
export async function addressesOf(url: URL): Promise<readonly string[]> {
  const host = bare(url.hostname)
  const found = isIP(host)
    ? [host]
    : await lookup(host, { all: true, verbatim: true }).then(
        list => list.map(({ address }) => address),
        () => [],
      )
  if (!found.length) throw new Error(`the name ${host} is not known`)
  for (const address of found) {
    const refusal = refusalOf(address, url.hostname)
    if (refusal) throw new Error(refusal)
  }
  return found
}

/** A connection to just that address. It breaks where the other side announces a message that is too large. */
export function dial(url: URL, address: string, ca: string | null): Socket {
  const port = Number(url.port) || (PORTS[url.protocol] ?? 1883)
  const host = bare(url.hostname)
  const socket =
    url.protocol === 'mqtts:'
      ? tls({ host: address, port, ...(isIP(host) ? {} : { servername: host }), ...(ca !== null && { ca }) })
      : tcp({ host: address, port })
  const sizes = watchSizes(MOST_BYTES)
  socket.on('data', (chunk: Uint8Array) => {
    if (!sizes(chunk)) socket.destroy(new TooLarge('the broker sent a message that is too large'))
  })
  return socket
}

function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}
