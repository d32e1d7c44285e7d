/**
 * How soon a press of Home Assistant is a run: from the client's publish over a real broker until the event that says so
 * is back at that client, the run's row being on the disk by then. And how soon a webhook is answered.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import mqtt from 'mqtt'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { type Measure, measured } from './measure.ts'

const PRESSES = 120
/** Slower than what commands may come at. */
const EVERY_MS = 220
const HOOKS = 300

const workflow = (name: string, when: string) => `
contract: workflow.v1
name: ${name}
state: test
when: ${when}
limits: { cooldown: 0s, per_hour: 2000 }
then: [ log: pressed ]
`

export async function bench(): Promise<Measure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-house-'))
  const probe = Bun.listen({ port: 0, hostname: '127.0.0.1', socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  writeFileSync(join(dir, 'broker.conf'), `user root\nlistener ${port} 127.0.0.1\nallow_anonymous true\n`)
  const program = Bun.which('mosquitto', { PATH: `${process.env.PATH}:/usr/sbin` })
  if (program === null) throw new Error('mosquitto is not installed')
  const broker = Bun.spawn([program, '-c', join(dir, 'broker.conf')], { stdout: 'ignore', stderr: 'ignore' })
  const box = new Appliance({
    ...{ dataDir: join(dir, 'data'), resources: resources(), log: noLog, port: 0 },
    site: Site.load(`mqtt: { url: "mqtt://127.0.0.1:${port}", base: gatehouse/bench }`, 'site.yaml'),
  })
  try {
    const { url } = await box.start()
    const saved = async (yaml: string) => {
      const answer = await box.engine.save(yaml)
      if (!answer.ok) throw new Error(JSON.stringify(answer.problems))
      await box.engine.setState(answer.workflow.id, 'on')
      return answer.workflow
    }
    const button = await saved(workflow('Press', '{ button: {} }'))
    const hook = await saved(workflow('Hook', '{ webhook: {} }'))
    const presses = await pressed(`mqtt://127.0.0.1:${port}`, `gatehouse/bench/workflow_${button.id}`)
    const hooks = await hooked(`${url}${hook.hook}`)
    return [
      measured('house.MQTT press to run, p99', percentile(presses, 99), 'ms', { atMost: 50 }),
      measured('house.MQTT press to run, p50', percentile(presses, 50), 'ms', { atMost: 50 }),
      measured('house.webhook to 202, p99', percentile(hooks, 99), 'ms', { atMost: 50 }),
    ]
  } finally {
    await box.stop()
    broker.kill()
    await broker.exited
    rmSync(dir, { recursive: true, force: true })
  }
}

async function pressed(url: string, topic: string): Promise<number[]> {
  const client = await mqtt.connectAsync(url, { reconnectPeriod: 100 })
  const online = Promise.withResolvers<void>()
  let started: (() => void) | null = null
  client.on('message', (at, payload) => {
    if (at.endsWith('/status') && payload.toString() === 'online') online.resolve()
    if (at.endsWith('_runs/state') && payload.toString().includes('"started"')) started?.()
  })
  await client.subscribeAsync(['gatehouse/bench/status', `${topic}_runs/state`])
  await online.promise
  // The buttons are told a moment after the workflows are saved.
  await Bun.sleep(1_000)
  const took: number[] = []
  for (let n = 0; n < PRESSES; n++) {
    const told = new Promise<void>(resolve => {
      started = resolve
    })
    const at = performance.now()
    client.publish(`${topic}_press/set`, 'PRESS')
    await told
    took.push(performance.now() - at)
    await Bun.sleep(EVERY_MS)
  }
  client.end(true)
  // The program is compiled as it runs.
  return took.slice(10)
}

async function hooked(url: string): Promise<number[]> {
  const took: number[] = []
  for (let n = 0; n < HOOKS; n++) {
    const at = performance.now()
    const answer = await fetch(url, { method: 'POST' })
    if (answer.status !== 202) throw new Error(`the webhook answered ${answer.status}`)
    await answer.arrayBuffer()
    took.push(performance.now() - at)
  }
  return took.slice(10)
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * share) / 100) - 1)] ?? Number.NaN
}
