import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { describe, expect, onTestFinished, test } from 'vitest'
import { refusalOf } from '../../../src/site/index.ts'
import { eventually, temporaryFolder } from '../helpers.ts'
import { hasNats, NatsServer, type ServerOptions } from './server.ts'
import { listening, PLATE, PLATES, plate } from './world.ts'

const REFUSES = 'it refuses who we are: check auth under nats in the site file, and the secret that it names.'
const UNTRUSTED =
  'its certificate is not trusted: name the certificate of who signed it under nats.tls.ca, and its own name in the address.'

/** A box with that section brings an event to a run. */
async function works(server: NatsServer, section: string, secret = 'pw'): Promise<void> {
  const { box, up, runs } = await listening(section, { secrets: { get: () => secret } })
  await box.save(PLATES, 'on')
  await up()
  await server.publish(PLATE, plate(1, box.clock.now()))
  await eventually(() => runs() === 1)
}

/** What a box says that is not let in. */
async function said(section: string, secret = 'pw'): Promise<string | null> {
  const { nats, until } = await listening(section, { secrets: { get: () => secret } })
  await until(problem => problem !== null && !problem.includes('not reached yet'))
  expect(nats.problem).not.toContain(secret)
  return nats.problem
}

const at = ({ port }: NatsServer) => `NATS at 127.0.0.1:${port}: `

describe.skipIf(!hasNats)('a server that asks who we are', () => {
  test('by a token', async () => {
    const server = await new NatsServer({
      config: 'authorization: { token: "t0ken" }',
      publisher: { token: 't0ken' },
    }).start()
    const section = `{ url: "${server.url}", auth: { token: { secret: nats } } }`
    await works(server, section, 't0ken')
    expect(await said(section, 'another')).toBe(at(server) + REFUSES)
    expect(await said(`{ url: "${server.url}" }`)).toBe(at(server) + REFUSES)
  })

  test('by user and password', async () => {
    const server = await new NatsServer({
      config: 'authorization: { user: box, password: "pässwörd 1" }',
      publisher: { user: 'box', pass: 'pässwörd 1' },
    }).start()
    const section = (user: string) =>
      `{ url: "${server.url}", auth: { user: ${user}, password: { secret: nats } } }`
    await works(server, section('box'), 'pässwörd 1')
    expect(await said(section('box'), 'another')).toBe(at(server) + REFUSES)
    expect(await said(section('other'), 'pässwörd 1')).toBe(at(server) + REFUSES)
  })

  test('by an nkey', async () => {
    const [mine, other] = [nkeys.createUser(), nkeys.createUser()]
    const seed = new TextDecoder().decode(mine.getSeed())
    const server = await new NatsServer({
      config: `authorization: { users: [{ nkey: ${mine.getPublicKey()} }, { user: other, password: pw }] }`,
      publisher: { user: 'other', pass: 'pw' },
    }).start()
    const section = `{ url: "${server.url}", auth: { nkey: { secret: nats } } }`
    await works(server, section, seed)
    expect(await said(section, new TextDecoder().decode(other.getSeed()))).toBe(at(server) + REFUSES)
    expect(await said(section, 'no seed at all')).toBe(
      'nats: the secret nats is no nkey seed: it begins with SU, as "nk -gen user" prints it.',
    )
  })
})

interface Authority {
  dir: string
  ca: string
  /** Lines of a server's configuration with a certificate for these names. */
  config(names: string, more?: string): string
}

/** Who signs certificates, as an installer would make it with openssl. */
function authority(): Authority {
  const dir = temporaryFolder()
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=Site CA')
  let made = 0
  return {
    dir,
    ca: join(dir, 'ca.pem'),
    config(names, more = '') {
      const name = `server-${++made}`
      openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', '/CN=nats')
      writeFileSync(join(dir, `${name}.ext`), `subjectAltName = ${names}\n`)
      const signs = [
        '-CA',
        'ca.pem',
        '-CAkey',
        'ca.key',
        '-CAcreateserial',
        '-days',
        '2',
        '-extfile',
        `${name}.ext`,
      ]
      openssl('x509', '-req', '-in', `${name}.csr`, '-out', `${name}.pem`, ...signs)
      const file = (end: string) => join(dir, `${name}.${end}`)
      return `tls: { cert_file: "${file('pem')}", key_file: "${file('key')}" }\n${more}`
    },
  }
}

async function secured({ ca, config }: Authority, names: string, more = '', options: ServerOptions = {}) {
  const publisher = { tls: { caFile: ca }, ...options.publisher }
  return new NatsServer({ config: config(names, more), publisher }).start()
}

describe.skipIf(!hasNats)('a server that speaks TLS', () => {
  test('is spoken to where its certificate is signed by whom the site trusts', async () => {
    const signs = authority()
    const server = await secured(signs, 'IP:127.0.0.1', 'authorization: { token: t0ken }', {
      publisher: { token: 't0ken' },
    })
    const auth = 'auth: { token: { secret: nats } }'
    await works(server, `{ url: "${server.url}", ${auth}, tls: { ca: "${signs.ca}" } }`, 't0ken')
    await works(
      server,
      `{ url: "tls://127.0.0.1:${server.port}", queue: two, ${auth}, tls: { ca: "${signs.ca}" } }`,
      't0ken',
    )
    expect(await said(`{ url: "${server.url}", ${auth}, tls: {} }`)).toBe(at(server) + UNTRUSTED)
    expect(await said(`{ url: "${server.url}", ${auth} }`)).toBe(
      `${at(server)}it wants TLS: write tls: { ca: <file> } under nats with the certificate of who signed its own, or tls: {} where the system knows them.`,
    )
    const other = authority()
    expect(await said(`{ url: "${server.url}", ${auth}, tls: { ca: "${other.ca}" } }`)).toBe(
      at(server) + UNTRUSTED,
    )
    expect(await said(`{ url: "${server.url}", tls: { ca: "${signs.dir}/none.pem" } }`)).toBe(
      `nats.tls.ca: ${signs.dir}/none.pem cannot be read: correct the path, or put the certificate there.`,
    )
  })

  test('is not where its certificate is for another name', async () => {
    const signs = authority()
    const server = await secured(signs, 'DNS:nvr.lan, IP:192.0.2.7')
    expect(await said(`{ url: "${server.url}", tls: { ca: "${signs.ca}" } }`)).toBe(at(server) + UNTRUSTED)
  })

  test('is held to the name that the site file says, whatever its address is', async ({ skip }) => {
    const address = ownAddress()
    if (address === null)
      return skip('this machine has no address of a private network, and none could be added')
    const signs = authority()
    const server = await new NatsServer({ config: signs.config('DNS:nvr.lan'), host: address }).start()
    const section = (name: string) => `{ url: "tls://${name}:${server.port}", tls: { ca: "${signs.ca}" } }`
    const options = { secrets: { get: () => null }, lookup: async () => [address] }
    const { up } = await listening(section('nvr.lan'), options)
    await up()
    const other = await listening(section('nas.lan'), options)
    await other.until(problem => problem === `NATS at nas.lan:${server.port}: ${UNTRUSTED}`)
  })

  test('one that does not speak it is told no secret where the site asks for TLS', async () => {
    const server = await new NatsServer().start()
    expect(await said(`{ url: "${server.url}", auth: { token: { secret: nats } }, tls: {} }`, 't0ken')).toBe(
      `${at(server)}it does not speak TLS: take tls out of the site file, or have the server offer it.`,
    )
    const words: string[] = []
    const spy = Bun.listen({
      port: 0,
      hostname: '127.0.0.1',
      socket: {
        open: socket => void socket.write('INFO {"version":"2.9.10","proto":1,"max_payload":1048576}\r\n'),
        data: (_socket, bytes) => void words.push(bytes.toString()),
      },
    })
    await said(`{ url: "nats://127.0.0.1:${spy.port}", auth: { token: { secret: nats } }, tls: {} }`, 't0ken')
    spy.stop(true)
    expect(words).toEqual([])
  })
})

/** An address of this machine to which a name may lead, added to loopback where it has none; null: it may not be. */
function ownAddress(): string | null {
  const known = Object.values(networkInterfaces()).flatMap(list => list ?? [])
  const own = known.find(({ address, family }) => family === 'IPv4' && refusalOf(address, 'nvr.lan') === null)
  if (own) return own.address
  const address = '10.213.97.1'
  const ip = (what: string) =>
    execFileSync('ip', ['addr', what, `${address}/32`, 'dev', 'lo'], { stdio: 'pipe' })
  try {
    ip('add')
    onTestFinished(() => void ip('del'))
    return address
  } catch {
    return null
  }
}
