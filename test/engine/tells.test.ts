import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { GatehouseError } from '../../src/core/index.ts'
import type { EngineDeps, StepView } from '../../src/engine/index.ts'
import { Tells } from '../../src/engine/tells.ts'
import { Undelivered } from '../../src/kinds/index.ts'
import { Site } from '../../src/site/index.ts'
import { Box } from './box.ts'

let box: Box
afterEach(() => box?.stop())

const file = `
contract: workflow.v1
name: Tells
state: on
limits: { cooldown: 0s, per_hour: 1000, one_at_a_time: plate }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - webhook: { to: chat, json: { "2": "{plate}", "1": [ok, 1.50], "": "é “{camera}”" } }
  - log: behind
`

async function started(options: ConstructorParameters<typeof Box>[0] = {}): Promise<void> {
  box = await new Box(options).start()
  await box.save(file)
}

const told = (): StepView | undefined => box.engine.run(1)?.steps[0]
const rows = () => box.store.due.all().filter(({ kind }) => kind === 'tell')

/** Lets what is under way come to its end. */
async function advance(ms: number): Promise<void> {
  const before = box.sent.length
  box.clock.advance(ms)
  await expect
    .poll(() => box.sent.length > before || rows().every(({ at }) => at > box.clock.now()))
    .toBe(true)
  await Bun.sleep(15)
}

test('only so many wait for another try, and one whose row was lost with its commit takes no place', async () => {
  await started()
  const shed: string[] = []
  const { store, clock } = box
  const deps = { store, clock, onShed: (what: string) => shed.push(what) } as unknown as EngineDeps
  const tells = new Tells(deps, { boxId: () => 'box', onStep: () => {}, onDue: () => {} })
  const error = new Undelivered(new Error('no'))
  for (let n = 0; n < 1_500; n++) expect(tells.later(error)).not.toBeNull()
  await store.write(() => {
    const row = { at: clock.now() + 3_600_000, kind: 'tell', runId: null, stepId: null, payload: null }
    for (let n = 0; n < 1_000; n++) store.due.add(row)
  })
  expect([tells.later(error), shed]).toEqual([null, ['tell_given_up']])
})

describe('a message that does not get through', () => {
  test('is recorded, the run goes on, and it is sent again under the same id with the same body', async () => {
    await started()
    const answers: (number | Error)[] = [503, new GatehouseError('destination_unreachable', 'refused'), 200]
    box.answer = () => answers.shift() ?? 200
    const run = await box.run(box.event())
    expect([run.status, run.steps.map(({ status }) => status)]).toEqual(['done', ['failed', 'done']])
    expect(told()?.result).toMatchObject({ code: 'destination_refused', retrying: true, tries: 1 })
    await advance(999)
    expect(box.sent).toHaveLength(1)
    await advance(1)
    expect(told()?.result).toMatchObject({ code: 'destination_unreachable', retrying: true, tries: 2 })
    await advance(5_000)
    expect(told()).toMatchObject({ status: 'done', result: { status: 200, tries: 3 } })
    expect(rows()).toEqual([])
    expect(new Set(box.sent.map(sent => JSON.stringify(sent)))).toHaveProperty('size', 1)
    expect(told()?.inputs).toEqual({ to: 'chat', json: box.sent[0]?.json })
    expect(box.engine.run(1)?.status).toBe('done')
  })

  test('is given up after the last try, and says how often it was tried', async () => {
    await started()
    box.answer = () => 500
    await box.run(box.event())
    for (const ms of [1_000, 5_000, 30_000, 120_000, 600_000]) await advance(ms)
    expect(box.sent).toHaveLength(6)
    expect(told()).toMatchObject({ status: 'failed', result: { code: 'destination_refused', tries: 6 } })
    expect(told()?.result).not.toHaveProperty('retrying')
    expect(rows()).toEqual([])
  })

  test.each([400, 401, 403, 404, 410, 422])('is not sent again after a clear %i', async status => {
    await started()
    box.answer = () => status
    await box.run(box.event())
    expect(rows()).toEqual([])
    expect(told()?.result).toMatchObject({ code: 'destination_refused' })
  })

  test.each([408, 425, 429, 500, 502, 504])('is sent again after %i', async status => {
    await started()
    box.answer = () => status
    await box.run(box.event())
    expect(rows()).toHaveLength(1)
  })

  test.each(['egress_denied', 'destination_unknown', 'bad_request', 'destination_redirected'])(
    'is not sent again where that changes nothing: %s',
    async code => {
      await started()
      box.answer = () => new GatehouseError(code, 'no')
      await box.run(box.event())
      expect(rows()).toEqual([])
      expect(told()?.result).toMatchObject({ code })
    },
  )

  test('keeps its time over a restart; what is an hour old is not sent any more', async () => {
    await started()
    box.answer = () => 500
    await box.run(box.event())
    await box.restart()
    await advance(999)
    expect(box.sent).toHaveLength(1)
    await box.engine.stop()
    box.clock.advance(60_000)
    await box.restart()
    await advance(0)
    expect(box.sent).toHaveLength(2)
    expect(told()?.result).toMatchObject({ tries: 2, retrying: true })
    await box.engine.stop()
    box.clock.advance(3_600_000)
    await box.restart()
    await advance(0)
    expect(box.sent).toHaveLength(2)
    expect(told()?.result).toMatchObject({ code: 'expired', tries: 2 })
  })

  test('is not sent any more once its destination moves something', async () => {
    await started()
    box.answer = () => 500
    await box.run(box.event())
    box.site = Site.load(
      'destinations: { chat: { url: "http://127.0.0.1:9/", class: move } }',
      join(box.dir, 's'),
    )
    await advance(1_000)
    expect(told()?.result).toMatchObject({ code: 'not_informing' })
    expect(box.sent).toHaveLength(1)
  })

  test('does not keep what waits behind it from its turn, however many there are', async () => {
    await started()
    box.answer = () => 500
    const plates = Array.from({ length: 130 }, (_, i) => ({ plate_text: `P ${i}` }))
    await Promise.all(plates.map(payload => box.engine.submit(box.event({ payload }))))
    await box.save(file.replace('name: Tells', 'name: Waits').replace(/- webhook.*/, '- wait: 10s'))
    await box.engine.submit(box.event({ payload: { plate_text: 'last' } }))
    await expect.poll(() => rows().length).toBe(131)
    box.answer = () => new Promise(() => {})
    const waits = box.engine.runs({ limit: 400 }).find(({ status }) => status === 'waiting')
    expect(waits).toBeDefined()
    box.clock.advance(10_000)
    await box.ended(waits?.id ?? 0)
  })

  test('is final at once where the box is told to try once', async () => {
    await started({ tellRetriesMs: [] })
    box.answer = () => 500
    await box.run(box.event())
    expect(told()?.result).toEqual({ code: 'destination_refused', message: expect.stringContaining('500') })
    expect(rows()).toEqual([])
  })
})

/** A box in a process of its own that tells a server which drops, refuses and delays; killed at each request in turn. */
test.each([1, 2, 3])(
  'killed while it is sent for the %i. time, it keeps its id and every byte',
  async victim => {
    const dir = mkdtempSync(join(tmpdir(), 'gatehouse-tells-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const requests: { id: string; body: string }[] = []
    let child: Bun.Subprocess | null = null
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      async fetch(request) {
        if (!request.url.endsWith('/chat')) return new Response('ok')
        const body = await request.text()
        if (body !== '"B-AB 123 is here"') return new Response('ok')
        requests.push({ id: request.headers.get('webhook-id') ?? '', body })
        const n = requests.length
        if (n === victim) {
          child?.kill('SIGKILL')
          await child?.exited
        }
        return new Response('no', { status: n < 3 ? 503 : 200 })
      },
    })
    onTestFinished(() => server.stop(true))
    const script = join(import.meta.dirname, 'killed.ts')
    const spawn = (what: string) => {
      const process_ = Bun.spawn([process.execPath, script, dir, String(server.port), what], {
        stdout: 'pipe',
      })
      onTestFinished(() => process_.kill('SIGKILL'))
      return process_
    }
    const first = spawn('start')
    child = first
    await first.exited
    expect(first.signalCode).toBe('SIGKILL')
    const second = spawn('resume')
    const { views } = JSON.parse(await new Response(second.stdout).text())
    expect(requests.length).toBeGreaterThanOrEqual(3)
    expect(requests.length).toBeLessThanOrEqual(4)
    expect(new Set(requests.map(({ id }) => id)).size).toBe(1)
    const step = views[0].steps.find(({ inputs }: StepView) => JSON.stringify(inputs).includes('is here'))
    expect(step.status).toBe('done')
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set([JSON.stringify(step.inputs.json)]))
  },
  20_000,
)
