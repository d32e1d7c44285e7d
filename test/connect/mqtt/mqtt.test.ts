import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { FileSecrets, MqttConnection } from '../../../src/connect/index.ts'
import type { Guest } from '../../../src/connect/mqtt/connection.ts'
import { watchSizes } from '../../../src/connect/mqtt/sizes.ts'
import { noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually, temporaryFolder } from '../helpers.ts'
import { freePort, hurried, Mosquitto, noBroker } from './mosquitto.ts'

const DESTINATIONS = `
destinations:
  lamp: { topic: hall/lamp, class: tell }
  board: { topic: hall/board, class: tell, retain: true, qos: 0 }
  barrier: { topic: gate/barrier, class: move }
  secret: { topic: secret/door, class: move }
  chat: { url: "http://192.168.1.9", class: tell }
`

/** A connection of a site, and a short way to publish. */
async function connection(
  mqtt: string,
  { connectMs = 2_000, guest }: { connectMs?: number; guest?: Guest } = {},
) {
  const dir = temporaryFolder()
  mkdirSync(join(dir, 'secrets'))
  const load = (section: string) => Site.load(`mqtt: ${section}\n${DESTINATIONS}`, join(dir, 'site.yaml'))
  let site = load(mqtt)
  const it = new MqttConnection({
    ...{ site: () => site, secrets: new FileSecrets(dir, ''), clock: hurried, log: noLog, connectMs },
    boxId: () => 'box1',
    ...(guest && { guest }),
  })
  await it.start()
  onTestFinished(() => it.stop())
  const publish = (to: string, message: Partial<Parameters<typeof it.publish>[0]> = {}) =>
    it.publish({
      ...{ to, json: 'ON', deliveryId: 'run_1_2', correlationId: 'run_box_1' },
      ...{ effect: 'tell', signal: new AbortController().signal },
      ...message,
    })
  return {
    it,
    dir,
    publish,
    /** Publishes as soon as there is a connection. */
    soon: async (to: string, message: Parameters<typeof publish>[1] = {}) => {
      for (let tries = 0; ; tries++) {
        const error = await publish(to, message).catch((thrown: Error) => thrown)
        if (!(error instanceof Error)) return
        if (tries > 200 || (error as { code?: string }).code !== 'destination_unreachable') throw error
        await Bun.sleep(20)
      }
    },
    reload: async (section: string) => {
      site = load(section)
      await it.reload()
    },
  }
}

const code = async (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: { code?: string; message: string }) => `${error.code}: ${error.message}`,
  )

/** A server that takes what comes and does `answer` on the bare socket. */
async function rawServer(answer: (socket: Socket, chunk: Buffer) => void): Promise<string> {
  const server = createServer(socket => {
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => answer(socket, chunk))
  })
  const port = await freePort()
  await new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
  })
  return `mqtt://127.0.0.1:${port}`
}

describe.skipIf(noBroker)('the MQTT broker', () => {
  test('is left in time, whatever is still to be said to it: then it says that the box is gone', async () => {
    const broker = await Mosquitto.start()
    const { heard } = await broker.listener('gatehouse/#')
    const up = Promise.withResolvers<void>()
    const guest: Guest = {
      problem: null,
      ignored: {},
      up: () => up.resolve(),
      message: () => undefined,
      // As one that waits for a broker which hangs.
      leave: () => new Promise(() => undefined),
      down: () => undefined,
    }
    const { it, reload } = await connection(`{ url: "${broker.url()}" }`, { guest })
    await up.promise
    await reload(`{ url: "${broker.url()}", name: Other }`)
    await eventually(() => heard.length === 1)
    await it.stop()
    await eventually(() => heard.length === 2)
    expect(heard.map(({ topic, text }) => `${topic} ${text}`)).toEqual(
      Array(2).fill('gatehouse/box1/status offline'),
    )
  })

  test('texts, values and nothing reach a listed topic; which run they are of is told beside them', async () => {
    const broker = await Mosquitto.start()
    const { heard } = await broker.listener('hall/#')
    const { soon, publish, it } = await connection(`{ url: "${broker.url()}" }`)
    await soon('lamp')
    await publish('lamp', { json: { on: true, level: 3 } })
    await publish('board', { json: null })
    await publish('lamp', { json: 7, effect: 'move' })
    await eventually(() => heard.length === 4)
    expect(heard.map(({ topic, text }) => [topic, text])).toEqual([
      ['hall/lamp', 'ON'],
      ['hall/lamp', '{"on":true,"level":3}'],
      ['hall/board', ''],
      ['hall/lamp', '7'],
    ])
    expect(heard[0]?.told).toEqual({ 'webhook-id': 'run_1_2', 'x-correlation-id': 'run_box_1' })
    expect(it).toMatchObject({ problem: null, lacks: null })
  })

  test('what is not listed, or listed as an address, is not published', async () => {
    const broker = await Mosquitto.start()
    const { soon, publish } = await connection(`{ url: "${broker.url()}" }`)
    await soon('lamp')
    expect(await code(publish('attic'))).toContain('destination_unknown: attic is not listed')
    expect(await code(publish('chat'))).toContain('destination_unknown: chat is an address')
    expect(await code(publish('lamp', { json: 'x'.repeat(300_000) }))).toContain('bad_request')
  })

  test('a move that nobody hears, or that the broker does not take, did not happen', async () => {
    const more = 'acl_file DIR/acl'
    const broker = await Mosquitto.start({ users: { gate: 'pw', other: 'pw' } })
    await broker.kill()
    writeFileSync(
      join(broker.dir, 'acl'),
      'user gate\ntopic readwrite gate/#\nuser other\ntopic readwrite #\n',
    )
    const conf = join(broker.dir, 'mosquitto.conf')
    execFileSync('sh', ['-c', `echo "${more.replace('DIR', broker.dir)}" >> ${conf}`])
    await broker.run()
    const { publish, it, dir } = await connection(
      `{ url: "${broker.url()}", user: gate, password: { secret: mqtt } }`,
    )
    writeFileSync(join(dir, 'secrets/mqtt'), 'pw\n')
    await eventually(() => it.problem === null)
    const move = (to: string) => code(publish(to, { effect: 'move' }))
    let answer = await move('barrier')
    for (let tries = 0; answer.startsWith('destination_unreachable') && tries < 200; tries++) {
      await Bun.sleep(20)
      answer = await move('barrier')
    }
    expect(answer).toContain('destination_refused: Nobody listens to barrier')
    const { heard } = await broker.listener(['gate/#', 'secret/#'], { username: 'other', password: 'pw' })
    expect(await move('barrier')).toBe('none')
    expect(await move('secret')).toContain('destination_refused')
    await eventually(() => heard.length === 1)
    expect(heard[0]?.topic).toBe('gate/barrier')
  })

  test('a move that is not acknowledged may have happened; without a connection it did not', async () => {
    const broker = await Mosquitto.start()
    await broker.listener('gate/#')
    const { soon, publish } = await connection(`{ url: "${broker.url()}" }`)
    await soon('barrier', { effect: 'move' })
    broker.freeze(true)
    expect(await code(publish('barrier', { effect: 'move' }))).toContain('destination_unanswered')
    const lost = code(publish('barrier', { effect: 'move' }))
    await broker.kill()
    expect(await lost).toContain('destination_unanswered')
    expect(await code(publish('barrier', { effect: 'move' }))).toContain('destination_unreachable')
  })

  test('a broker that is killed and comes back is used again; nothing is sent twice', async () => {
    const broker = await Mosquitto.start()
    const { soon, it } = await connection(`{ url: "${broker.url()}" }`)
    await soon('lamp')
    for (let round = 0; round < 3; round++) {
      await broker.kill()
      await eventually(() => it.problem !== null)
      expect(it.problem).toContain('cannot be used')
      await broker.run()
      const { heard, client } = await broker.listener('hall/#')
      await soon('lamp', { json: `round ${round}` })
      await eventually(() => heard.length > 0)
      expect(heard.map(({ text }) => text)).toEqual([`round ${round}`])
      expect(it.problem).toBeNull()
      client.end(true)
    }
  })

  test('a wrong password is said, without it; once the secret is right the box is let in', async () => {
    const broker = await Mosquitto.start({ users: { box: 'right' } })
    const { it, dir, soon } = await connection(
      `{ url: "${broker.url()}", user: box, password: { secret: mqtt } }`,
    )
    await eventually(() => it.problem?.includes('needs the secret mqtt') ?? false)
    writeFileSync(join(dir, 'secrets/mqtt'), 'wr0ng')
    await eventually(() => it.problem?.includes('refuses mqtt.user or its password') ?? false)
    expect(it.problem).not.toContain('wr0ng')
    writeFileSync(join(dir, 'secrets/mqtt'), 'right')
    await soon('lamp')
    expect(it.problem).toBeNull()
  })

  test('TLS by a certificate of its own: with mqtt.ca only', async () => {
    const dir = temporaryFolder()
    const run = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' })
    const name = ['-nodes', '-days', '2', '-newkey', 'rsa:2048']
    run('req', '-x509', ...name, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=house')
    run('req', ...name, '-keyout', 'b.key', '-out', 'b.csr', '-subj', '/CN=broker')
    writeFileSync(join(dir, 'san'), 'subjectAltName=IP:127.0.0.1')
    const sign = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'san', '-days', '2']
    run('x509', '-req', '-in', 'b.csr', ...sign, '-out', 'b.pem')
    const broker = await Mosquitto.start({ more: `certfile ${dir}/b.pem\nkeyfile ${dir}/b.key` })
    const plain = await connection(`{ url: "${broker.url('mqtts')}" }`)
    await eventually(() => plain.it.problem?.includes('its certificate') ?? false)
    const { soon, it } = await connection(`{ url: "${broker.url('mqtts')}", ca: ${dir}/ca.pem }`)
    await soon('lamp')
    expect(it.problem).toBeNull()
  })

  test('a site file that says the same leaves the connection alone; one that says something else does not', async () => {
    const [one, two] = [await Mosquitto.start(), await Mosquitto.start()]
    const { soon, reload, publish, it } = await connection(`{ url: "${one.url()}" }`)
    await soon('lamp')
    await reload(`{ url: "${one.url()}" }`)
    await publish('lamp')
    await reload(`{ url: "${two.url()}" }`)
    const { heard } = await two.listener('hall/#')
    await soon('lamp')
    await eventually(() => heard.length === 1)
    await reload('')
    expect(it.lacks).toContain('no MQTT broker')
    expect(await code(publish('lamp'))).toContain('destination_unreachable')
  })
})

describe('what is no broker', () => {
  test('a broker of MQTT 3.1.1 is spoken to as such', async () => {
    const levels: number[] = []
    const url = await rawServer((socket, chunk) => {
      if (chunk[0] === 0x10) {
        levels.push(chunk[8] ?? 0)
        socket.write(Buffer.from(chunk[8] === 5 ? [0x20, 2, 0, 1] : [0x20, 2, 0, 0]))
      }
      if ((chunk[0] ?? 0) >> 4 === 3) socket.write(Buffer.from([0x40, 2, ...chunk.subarray(13, 15)]))
    })
    const { soon } = await connection(`{ url: "${url}" }`)
    await soon('lamp')
    expect(levels).toEqual([5, 4])
  })

  test.each([
    ['says nothing', () => undefined, 'does not answer as a broker'],
    [
      'announces a message of 200 MB',
      (socket: Socket) => socket.write(Buffer.from([0x30, 0xff, 0xff, 0xff, 0x60, 0, 1, 65])),
      'too large',
    ],
    ['speaks HTTP', (socket: Socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'cannot be used'],
    ['hangs up', (socket: Socket) => socket.destroy(), 'closed the connection'],
    [
      'sends what is no packet',
      (socket: Socket) => socket.write(Buffer.from([0x20, 2, 0, 0, 0xf0, 0, 0x00, 0x00])),
      'cannot be used',
    ],
  ])('one that %s is said in one line, and tried again', async (_what, answer, problem) => {
    let tries = 0
    const url = await rawServer(socket => {
      tries++
      answer(socket)
    })
    const { it } = await connection(`{ url: "${url}" }`, { connectMs: 200 })
    await eventually(() => it.problem?.includes(problem) ?? false)
    expect(it.problem).not.toContain('\n')
    await eventually(() => tries > 1)
  })

  test('nothing there, and a name that nobody knows', async () => {
    const { it } = await connection(`{ url: "mqtt://127.0.0.1:${await freePort()}" }`)
    await eventually(() => it.problem?.includes('nothing answers there') ?? false)
    const unknown = await connection('{ url: "mqtt://no-such-broker.invalid" }')
    await eventually(() => unknown.it.problem?.includes('is not known') ?? false)
    const named = await connection('{ url: "mqtt://localhost" }')
    await eventually(() => named.it.problem?.includes('leads to this box itself') ?? false)
  })

  test('sizes are followed through chunks of any length', () => {
    const packets = Buffer.concat(
      [0, 1, 127, 128, 16_383, 16_384, 20_000].map(length => {
        const bytes: number[] = []
        let rest = length
        do {
          bytes.push((rest & 0x7f) | (rest > 127 ? 0x80 : 0))
          rest >>= 7
        } while (rest > 0)
        return Buffer.concat([Buffer.from([0x30, ...bytes]), Buffer.alloc(length, 0xff)])
      }),
    )
    for (const step of [1, 2, 3, 7, 1000, packets.length]) {
      for (const [most, fits] of [
        [20_000, true],
        [19_999, false],
      ] as const) {
        const sizes = watchSizes(most)
        let all = true
        for (let at = 0; at < packets.length; at += step) all &&= sizes(packets.subarray(at, at + step))
        expect(all).toBe(fits)
      }
    }
    expect(watchSizes(1e9)(new Uint8Array([0x30, 0xff, 0xff, 0xff, 0xff, 1]))).toBe(false)
  })
})
