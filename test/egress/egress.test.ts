/**
 * The whole box in a network of its own, from its first start on: everything that leaves it is recorded at the other end
 * of its cable. Nothing goes anywhere but to what the site lists, name servers included.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunView } from '../../src/engine/index.ts'
import { noBroker } from '../connect/mqtt/mosquitto.ts'
import { hasNats } from '../connect/nats/server.ts'
import { canSeparate, GATEWAY, Namespaces, type Packet } from './namespaces.ts'

const root = resolve(import.meta.dirname, '../..')
const WEB = '10.213.8.10'
const NAMED = '10.213.8.11'
const CAMERA = '10.213.8.12'
const NATS = '10.213.8.13'
const BROKER = '10.213.8.14'
/** The one name that is listed, of `NAMED`. */
const NAME = 'tickets.example'
/** What the name server's answers, redirects and brokers of others lead to; nobody listed it. */
const UNLISTED = '93.184.216.34'

/** Where nobody but the test goes. */
const CONTROL = '198.51.100.7'
const LISTED_PLACES = [
  `${WEB}:80`,
  `${NAMED}:80`,
  `${NAMED}:25`,
  `${CAMERA}:80`,
  `${NATS}:4222`,
  `${BROKER}:1883`,
]
const LISTED = `
  door: { name: Door, roles: [door], source: { snapshot: { url: "http://${CAMERA}/snapshot.jpg" } } }
  away: { name: Away, roles: [away], source: { snapshot: { url: "http://${CAMERA}/moved" } } }
people:
  guard:
    roles: [owner]
    channels: [{ via: push, at: told }, { via: push, at: moved }, { via: mail, at: guard@site.example }]
alerts: { from: low }
channels:
  push: { kind: ntfy, url: "http://${WEB}/" }
  mail: { kind: smtp, host: ${NAME}, security: none, from: gate@site.example }
destinations:
  desk: { url: "http://${WEB}/desk", class: tell }
  moved: { url: "http://${WEB}/moved", class: tell }
  tickets: { url: "http://${NAME}/new", class: tell }
  lamp: { topic: hall/lamp, class: tell }
nats: { url: "nats://${NATS}:4222" }
mqtt: { url: "mqtt://${BROKER}:1883" }
`
const WORKFLOW = `contract: workflow.v1
name: Tells everybody
limits: { cooldown: 0s }
needs: { destinations: { desk: tell, moved: tell, tickets: tell, lamp: tell } }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - webhook: { to: desk, json: { plate: "{plate}", see: "http://${UNLISTED}/{plate}" } }
  - webhook: { to: tickets, json: "{plate}" }
  - webhook: { to: moved, json: "{plate}" }
  - mqtt: { to: lamp, json: "ON" }
  - for_each:
      cameras: [door, away]
      do:
        - ai:
            mode: look
            prompt: Is anybody there?
            input: picture
            look_at: "{item}"
            fields: { persons: { measure: count, of: person } }
            decision: [somebody, nobody]
            rules: [ { when: { persons: { at_least: 1 } }, then: somebody }, { then: nobody } ]
            somebody: []
            nobody: []
            unsure: []
  - alert: { severity: low, title: "{plate}" }
`

describe.skipIf(!canSeparate() || !hasNats || noBroker)('what leaves the box', () => {
  const net = new Namespaces()
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-egress-'))
  const files = mkdtempSync(join(tmpdir(), 'gatehouse-egress-servers-'))
  let came = ''
  let told = ''
  let box: ReturnType<Namespaces['spawn']>
  let nats: typeof box
  let serveNats: () => typeof box
  let publish: (text: string) => void

  const until = async (holds: () => boolean, what: string) => {
    const end = performance.now() + 40_000
    while (!holds()) {
      if (performance.now() > end) throw new Error(`${what} did not come: ${told}${came}`)
      await Bun.sleep(50)
    }
  }
  /** The box by its socket: the test is not in its network. */
  const ask = async <T>(path: string, body?: string, type = 'application/json'): Promise<T> => {
    const init = body === undefined ? {} : { method: 'POST', headers: { 'content-type': type }, body }
    const response = await fetch(`http://gatehouse/api/v1/${path}`, {
      ...init,
      unix: join(dataDir, 'gatehouse.sock'),
    })
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return (await response.json()) as T
  }
  /** What went to none of these. */
  const beyond = (listed: readonly string[], names: readonly string[] = []): string[] => {
    const isListed = ({ to, port, asks }: Packet) =>
      asks === null ? listed.includes(`${to}:${port}`) : to === GATEWAY && names.includes(asks)
    return net.packets.filter(packet => !isListed(packet)).map(({ line }) => line)
  }
  const reads = async (stream: ReadableStream<Uint8Array>, each: (text: string) => void) => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) each(decoder.decode(bytes, { stream: true }))
  }

  beforeAll(async () => {
    await net.start([WEB, NAMED, CAMERA, NATS, BROKER])
    const config = join(files, 'nats.conf')
    // A server of a cluster tells its clients where else they may connect.
    writeFileSync(
      config,
      `listen: "${NATS}:4222"\nclient_advertise: "${UNLISTED}:4222"\ncluster { name: c, listen: "${NATS}:6222" }\n`,
    )
    serveNats = () => net.spawn('gateway', ['nats-server', '-c', config])
    nats = serveNats()
    const broker = join(files, 'mosquitto.conf')
    writeFileSync(broker, `user root\nlistener 1883 ${BROKER}\nallow_anonymous true\n`)
    net.spawn('gateway', ['mosquitto', '-c', broker])
    const script = join(import.meta.dirname, 'gateway.ts')
    const peers = [GATEWAY, WEB, NAMED, CAMERA, NATS, BROKER, NAME]
    const gateway = net.spawn('gateway', [process.execPath, script, ...peers])
    reads(gateway.stdout, text => {
      came += text
    }).catch(() => undefined)
    publish = text => {
      gateway.stdin.write(`${text}\n`)
      gateway.stdin.flush()
    }
    await until(() => came.includes('ready'), 'the gateway')
    box = net.spawn('box', [
      process.execPath,
      join(root, 'src/main.ts'),
      'up',
      '--data',
      dataDir,
      '--port',
      '0',
    ])
    reads(box.stdout, text => {
      told += text
    }).catch(() => undefined)
  }, 60_000)
  afterAll(async () => {
    await net.stop()
    for (const dir of [dataDir, files]) rmSync(dir, { recursive: true, force: true })
  })

  it('of a first start with its demo site is nothing at all', async () => {
    await until(() => (told.match(/ just decided: /g) ?? []).length === 2, 'two decisions')
    await ask('events', plate('DEMO 1'))
    expect(beyond([])).toEqual([])
  })

  it('is for what the site lists, by address or by name, and for nothing that those lead to', async () => {
    const file = join(dataDir, 'site.yaml')
    const [cameras = ''] = readFileSync(file, 'utf8').split('people:')
    writeFileSync(file, `${cameras.trimEnd()}${LISTED}`)
    await until(() => came.includes('mqtt homeassistant/'), 'the box at the broker')
    const { connections } = await ask<{ connections: Record<string, string | null> }>('system/health')
    expect(connections).toEqual({})
    const { workflow } = await ask<{ workflow: { id: number } }>('workflows', WORKFLOW, 'application/yaml')
    await ask(`workflows/${workflow.id}/state`, '{"state":"on"}')
    publish(plate('AB 1'))
    await until(() => came.includes('nats opennvr.alerts.workflow.tells-everybody.gate'), 'the alert')
    const { runs } = await ask<{ runs: { id: number }[] }>(`workflows/${workflow.id}/runs`)
    const run = await ask<RunView>(`runs/${runs[0]?.id}`)
    expect(run.steps.map(({ kind, status, outcome }) => [kind, status, outcome])).toEqual([
      ['webhook', 'done', null],
      ['webhook', 'done', null],
      ['webhook', 'failed', null],
      ['mqtt', 'done', null],
      ['for_each', 'done', null],
      ['ai', 'done', 'nobody'],
      ['ai', 'done', 'unsure'],
      ['alert', 'done', null],
    ])
    for (const line of [
      `http ${WEB} /desk`,
      `http ${NAMED} /new "AB 1"`,
      `http ${WEB} /moved`,
      `http ${CAMERA} /moved`,
      'mqtt hall/lamp',
    ])
      expect(came).toContain(line)
    await until(() => came.includes(`http ${WEB} /told`), 'the message of a channel')
    await until(() => net.packets.some(({ to, port }) => to === NAMED && port === 25), 'a mail')
    expect(beyond(LISTED_PLACES, [NAME])).toEqual([])
    const reached = new Set(net.packets.map(({ to, port, asks }) => asks ?? `${to}:${port}`))
    expect([...reached].toSorted()).toEqual([...LISTED_PLACES, NAME].toSorted())
  })

  it('is the same where a broker is away for a while, whatever others it has named', async () => {
    const says = async (holds: (problem: string | undefined) => boolean) => {
      for (;;) {
        const { connections } = await ask<{ connections: { NATS?: string } }>('system/health')
        if (holds(connections.NATS)) return
        await Bun.sleep(50)
      }
    }
    nats.kill('SIGKILL')
    await says(problem => problem !== undefined)
    nats = serveNats()
    await says(problem => problem === undefined)
    expect(beyond(LISTED_PLACES, [NAME])).toEqual([])
  })

  it('goes on so while it stops', async () => {
    box.kill('SIGTERM')
    await box.exited
    expect(beyond(LISTED_PLACES, [NAME])).toEqual([])
  })

  it('would have been seen, and was nothing else until then', async () => {
    const astray = `
      const go = url => fetch(url, { signal: AbortSignal.timeout(300) }).catch(() => null)
      await Promise.all(['http://${CONTROL}/', 'http://[2001:db8::1]/', 'http://telemetry.example/'].map(go))
      const udp = await Bun.udpSocket({})
      udp.send('x', 9, '${CONTROL}')
      process.exit()`
    await net.spawn('box', [process.execPath, '-e', astray]).exited
    const saw = (what: (packet: Packet) => boolean) => () => net.packets.some(what)
    await until(
      saw(({ to, port }) => to === CONTROL && port === 80),
      'a connection',
    )
    await until(
      saw(({ to, port }) => to === CONTROL && port === 9),
      'a datagram',
    )
    await until(
      saw(({ to }) => to === '2001:db8::1'),
      'a connection by IPv6',
    )
    await until(
      saw(({ asks }) => asks === 'telemetry.example'),
      'a question for a name',
    )
    // What is recorded is in order: all that the box has sent is there by now.
    const strays = [`${CONTROL}:80`, `${CONTROL}:9`, '2001:db8::1:80']
    expect(beyond([...LISTED_PLACES, ...strays], [NAME, 'telemetry.example'])).toEqual([])
  })
})

const plate = (text: string): string =>
  JSON.stringify({
    schema: 'plate.recognized.v1',
    id: `evt_${crypto.randomUUID().replaceAll('-', '').slice(0, 12)}`,
    camera_id: 'gate',
    ts: new Date().toISOString(),
    producer: 'plates',
    correlation_id: null,
    payload: { plate_text: text, confidence: 0.97 },
  })
