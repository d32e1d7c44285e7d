import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folder, serve } from '../../cli/gatehouse.ts'
import { hasNats } from './server.ts'
import { DURABLE, STREAM, StreamServer } from './stream-server.ts'
import { PLATE, PLATES, plate } from './world.ts'

const ROUNDS = 4
const EACH = 60

test.skipIf(!hasNats)(
  'a box that is killed again and again loses no event and no alert, and runs nothing twice',
  async () => {
    const server = await (await new StreamServer().start()).stream()
    await server.consumer({ ack_wait: 1_000_000_000 })
    const data = folder()
    onTestFinished(() => rmSync(data, { recursive: true, force: true }))
    mkdirSync(data, { recursive: true })
    const nats = `{ url: "${server.url}", jetstream: { stream: ${STREAM}, durable: ${DURABLE} } }`
    writeFileSync(join(data, 'site.yaml'), `cameras: { gate: {} }\nnats: ${nats}\n`)
    const start = async () => {
      const box = await serve(['--data', data, '--no-demo'])
      onTestFinished(() => void box.stop('SIGKILL'))
      return box
    }
    const heard: { alert_id: string; title: string; correlation_id: string }[] = []
    const listener = await server.publisher()
    listener.subscribe('opennvr.alerts.>', { callback: (_error, message) => void heard.push(message.json()) })
    let box = await start()
    const yaml = PLATES.replace('log: "{plate}"', 'alert: { severity: low, title: "{plate}" }')
    const saved = await fetch(`${box.url}/api/v1/workflows`, {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body: yaml.replace('when:', 'state: on\nwhen:'),
    })
    expect(saved.status).toBe(201)
    const sent: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const batch = Array.from({ length: EACH }, (_, n) => plate(sent.length + n, Date.now()))
      sent.push(...batch.map((_, n) => `BXY${sent.length + n}`))
      const publishing = server.publish(PLATE, ...batch)
      // In the middle of it, at another place each time.
      await Bun.sleep(round * 5)
      await box.stop('SIGKILL')
      // Three that die so soon would lead to safe mode, which is tried elsewhere.
      rmSync(join(data, 'starts.json'), { force: true })
      await publishing
      box = await start()
    }
    await server.settled()
    const titles = () => new Set(heard.map(({ title }) => title))
    while (titles().size < sent.length) await Bun.sleep(50)
    expect([...titles()].toSorted()).toEqual(sent.toSorted())
    // An alert may come twice, under its one id; no event makes two.
    expect(new Set(heard.map(({ alert_id }) => alert_id)).size).toBe(sent.length)
    expect(new Set(heard.map(({ correlation_id }) => correlation_id)).size).toBe(sent.length)
    const newest = (await (await fetch(`${box.url}/api/v1/runs?limit=1`)).json()) as {
      runs: { id: number }[]
    }
    expect(newest.runs[0]?.id).toBe(sent.length)
    expect(await box.stop()).toBe(0)
  },
)
