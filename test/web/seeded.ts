/** A whole box in which everything has happened once, for tests that ask each of its routes for something. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import type { IncomingEvent, Log } from '../../src/core/index.ts'
import { noLog } from '../../src/core/index.ts'
import type { Outgoing } from '../../src/kinds/index.ts'
import { Site } from '../../src/site/index.ts'
import { NtfyServer } from '../connect/channels/ntfy-server.ts'

const ROOT = resolve(import.meta.dirname, '../..')
export const PICTURE = readFileSync(join(ROOT, 'templates/cases/pictures/person.jpg'))

const WORKFLOWS = [
  `contract: workflow.v1
name: Open the gate
state: on
limits: { cooldown: 500ms, one_at_a_time: camera }
when: { button: {} }
then:
  - webhook: { to: gate }
`,
  `contract: workflow.v1
name: Lift the barrier
state: on
when: { button: {} }
then:
  - webhook: { to: barrier }
`,
  `contract: workflow.v1
name: Porter
state: on
when: { message: {} }
then:
  - reply: Nobody is in the yard.
`,
  `contract: workflow.v1
name: Gate bell
state: on
limits: { cooldown: 500ms, one_at_a_time: track }
when: { webhook: {} }
then:
  - ask_person: { who: "role:guard", message: "Who is at the gate?", replies: ["Open", "Refuse"], timeout: 1h, default: "Refuse" }
    "Open": [ log: "opened" ]
`,
  `contract: workflow.v1
name: Who is there
state: on
limits: { cooldown: 0s }
when: { webhook: {} }
then:
  - ai:
      mode: look
      prompt: Is somebody there?
      input: picture
      fields: { people: { measure: count, of: person } }
      decision: [person, clear]
      rules: [{ when: { people: { at_least: 1 } }, then: person }, { then: clear }]
      person: []
      clear: []
      unsure: []
`,
]

/** What a move does: the gate opens, of the barrier nobody hears anything. */
const outgoing: Outgoing = {
  send: async ({ to }) => {
    if (to === 'barrier') throw new Error('the line broke')
    return { status: 200, body: '' }
  },
}

/** Rows and pictures that a request may be about. */
export interface Ids {
  /** Ended, and with a picture. */
  run: number
  media: number
  /** Ended, and decided by an AI step. */
  judged: number
  /** Waits for a person. */
  waiting: number
  question: number
  /** The secret of a link to another question. */
  link: string
  /** Of a move of which nobody knows. */
  unknown: number
  held: number
  /** Answers a message. */
  message: number
  /** The secret of a webhook. */
  hook: string
}

export interface Seeded {
  box: Appliance
  port: number
  dataDir: string
  /** The guard's telephone. */
  push: NtfyServer
  /** Has everything happen once more. */
  seed(): Promise<Ids>
  stop(): Promise<void>
}

/** `yard`: with the yard watch among its workflows. */
export async function startSeeded({
  log = noLog,
  yard = true,
}: {
  log?: Log
  yard?: boolean
} = {}): Promise<Seeded> {
  const push = new NtfyServer('down')
  push.token = 'tk_push'
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-seeded-'))
  mkdirSync(join(dataDir, 'secrets'))
  writeFileSync(join(dataDir, 'secrets', 'push'), 'tk_push\n')
  mkdirSync(join(dataDir, 'cameras'))
  writeFileSync(join(dataDir, 'cameras', 'yard.jpg'), PICTURE)
  const site = Site.load(
    `page_url: "https://gate.lan:8088"
cameras:
  yard: { name: The yard, roles: [yard], source: { folder: ${join(dataDir, 'cameras')} } }
  gate: { name: Main gate, roles: [gate] }
  door: { name: Door, roles: [door] }
people:
  ann: { roles: [guard], channels: [{ via: push, at: ann }] }
channels:
  push: { kind: ntfy, url: "${push.url}", token: { secret: push } }
lists: { residents: [AB12CDE] }
destinations:
  chat: { url: "http://192.0.2.1/chat", class: read }
  gate: { url: "http://192.0.2.1/gate", class: move }
  barrier: { url: "http://192.0.2.1/barrier", class: move }
`,
    'site.yaml',
  )
  const box = new Appliance({ dataDir, resources: resources(), site, log, port: 0, outgoing })
  const { url } = await box.start()
  const watch = readFileSync(join(ROOT, 'templates/yard-watch.yaml'), 'utf8')
  for (const yaml of yard ? [watch, ...WORKFLOWS] : WORKFLOWS) {
    const saved = await box.engine.save(yaml)
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  }
  const stop = async () => {
    await box.stop()
    await push.down()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return {
    ...{ box, port: Number(new URL(url ?? '').port), dataDir, push, stop },
    seed: () => seed(box, push),
  }
}

async function seed({ engine }: Appliance, push: NtfyServer): Promise<Ids> {
  const begin = async (slug: string, kind: string, change: Partial<IncomingEvent> = {}): Promise<number> => {
    const workflow = engine.workflow(slug)
    const [admission] = await engine.submit({
      ...{ kind, id: crypto.randomUUID(), at: Date.now(), cameraId: null, severity: null, schema: null },
      ...{ source: 'test', payload: {}, correlationId: null, chain: [], pictures: [] },
      ...{ by: { by: 'session', name: 'Ada' }, workflowId: workflow?.id ?? null },
      ...change,
    })
    if (admission?.run == null) throw new Error(`${slug}: ${JSON.stringify(admission)}`)
    return admission.run
  }
  const is = (run: number, status: string) =>
    comes(() => engine.run(run)?.status === status, `${status} of run ${run}`)
  const ask = async (cameraId: string) => {
    const known = push.received.length
    const pictures = [{ bytes: PICTURE, takenAt: Date.now(), source: 'test' }]
    const run = await begin('gate-bell', 'webhook', { cameraId, pictures, by: null })
    await is(run, 'waiting')
    await comes(() => push.received.slice(known).some(({ click }) => click !== null), 'a link')
    const link = /\/answer\/([\w-]+)$/.exec(push.received.at(-1)?.click ?? '')?.[1] ?? ''
    const question = engine.approvals({ open: true }).find(each => each.run === run)
    return { run, link, question: question?.id ?? 0 }
  }
  const run = await begin('open-the-gate', 'button')
  const unknown = await begin('lift-the-barrier', 'button')
  const message = await begin('porter', 'message', {
    payload: { message: 'Hello?', from: 'Bo', channel: 'chat' },
  })
  await is(run, 'done')
  await is(unknown, 'unknown')
  await is(message, 'done')
  const [one, other, third] = [await ask('gate'), await ask('yard'), await ask('door')]
  const by = { by: 'session', name: 'Ada' }
  await engine.holds.pause(true, by)
  const held = await begin('open-the-gate', 'button', { cameraId: 'gate' })
  await is(held, 'waiting')
  const shown = [{ bytes: PICTURE, takenAt: Date.now(), source: 'test' }]
  const judged = await begin('who-is-there', 'webhook', { cameraId: 'gate', pictures: shown, by: null })
  await is(judged, 'done')
  const media = engine.run(one.run)?.pictures[0]?.media ?? 0
  const hook = /[^/]+$/.exec(engine.workflow('gate-bell')?.hook ?? '')?.[0] ?? ''
  return {
    ...{
      run,
      judged,
      media,
      waiting: third.run,
      question: one.question,
      link: other.link,
      unknown,
      held,
      message,
    },
    hook,
  }
}

/** Outside of tests there is no `expect.poll`. */
async function comes(is: () => boolean, what: string): Promise<void> {
  for (const end = Date.now() + 20_000; !is(); await Bun.sleep(10))
    if (Date.now() > end) throw new Error(`There never was ${what}.`)
}
