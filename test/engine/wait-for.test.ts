import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { GatehouseError } from '../../src/core/index.ts'
import { Box, decision, picture } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const waiting = (until: string, rest = 'every: 10s, timeout: 1m') => `
contract: workflow.v1
name: Waits
state: on
limits: { cooldown: 0s }
when: { webhook: {} }
then:
  - wait_for: { until: ${until}, ${rest} }
    met: [ log: yes ]
    timeout: [ log: too late ]
  - log: after
`
const armed = '{ site_mode: [armed_away] }'
const parcel = '{ text_visible: { camera: gate, contains_any: [dhl, ups] } }'

async function pass(ms: number, step = 5_000) {
  for (let gone = 0; gone < ms; gone += step) {
    box.clock.advance(Math.min(step, ms - gone))
    await Bun.sleep(3)
  }
  await Bun.sleep(10)
}

const begin = async (yaml: string) => box.begin(box.hook(await box.save(yaml)))
const mode = (to: string) => box.store.write(() => box.store.meta.set('site_mode', to))
const said = (id: number) =>
  box.engine.run(id)?.steps.flatMap(({ kind, inputs }) => (kind === 'log' ? [inputs] : []))
const step = (id: number) => box.engine.run(id)?.steps[0]

describe('wait_for', () => {
  test('that holds at once does not wait', async () => {
    await mode('armed_away')
    const id = await begin(waiting(armed))
    await box.ended(id)
    expect(said(id)).toEqual(['yes', 'after'])
    expect(step(id)).toMatchObject({ kind: 'wait_for', status: 'done', outcome: 'met', result: { looks: 1 } })
  })

  test('that looks in vain reads no row but its own, and tells nobody', async () => {
    const id = await begin(waiting(armed))
    await box.until(id, 'waiting')
    await pass(10_000)
    const told: string[] = []
    box.bus.on('run', ({ status }) => told.push(status))
    box.bus.on('step', ({ seq }) => told.push(`step ${seq}`))
    const read = vi.spyOn(box.store.steps, 'ofRun')
    await pass(30_000, 10_000)
    expect([read.mock.calls.length, told]).toEqual([0, []])
    await mode('armed_away')
    await pass(10_000)
    await box.ended(id)
    expect(step(id)?.result).toEqual({ looks: 6 })
    expect([told[0], told.at(-1)]).toEqual(['running', 'done'])
  })

  test('hears of a message that got through late', async () => {
    box.answer = () => 503
    const id = await begin(
      waiting('{ step_succeeded: told }', 'every: 1s, timeout: 10m').replace(
        'then:',
        'then:\n  - webhook: { to: chat, json: x }\n    name: told',
      ),
    )
    await box.until(id, 'waiting')
    await pass(3_000, 1_000)
    box.answer = () => 200
    await pass(8_000, 1_000)
    await box.until(id, 'done')
    expect(said(id)).toEqual(['yes', 'after'])
  })

  test('looks again every time and goes on when it holds', async () => {
    const id = await begin(waiting(armed))
    await box.until(id, 'waiting')
    await pass(25_000)
    expect(box.engine.run(id)?.status).toBe('waiting')
    await mode('armed_away')
    await pass(10_000)
    await box.ended(id)
    expect(said(id)).toEqual(['yes', 'after'])
    expect(step(id)?.result).toEqual({ looks: 4 })
  })

  test('ends at its deadline, however often the box was restarted meanwhile', async () => {
    const id = await begin(waiting(armed))
    await box.until(id, 'waiting')
    for (let i = 0; i < 3; i++) {
      await pass(15_000)
      await box.restart()
    }
    expect(box.store.due.ofRun(id)).toMatchObject([{ payload: { deadline: Date.UTC(2026, 2, 10, 12, 1) } }])
    expect(box.engine.run(id)?.status).toBe('waiting')
    await pass(15_000)
    await box.ended(id)
    expect(said(id)).toEqual(['too late', 'after'])
  })

  test('does not look again when it comes back long after its deadline', async () => {
    const id = await begin(waiting(armed))
    await box.until(id, 'waiting')
    await mode('armed_away')
    await box.engine.stop()
    box.clock.advance(3_600_000)
    await box.restart()
    await pass(1_000)
    await box.ended(id)
    expect(said(id)).toEqual(['too late', 'after'])
    expect(box.store.runs.get(id)?.lateMs).toBeGreaterThan(3_000_000)
  })

  test('that is late for one look is not late for its promise', async () => {
    const id = await begin(waiting(armed, 'every: 10s, timeout: 10m'))
    await box.until(id, 'waiting')
    await pass(180_000, 30_000)
    await mode('armed_away')
    await pass(30_000, 30_000)
    await box.ended(id)
    expect(box.store.runs.get(id)?.lateMs).toBe(0)
  })

  test('writes nothing for a look but the row’s next time', async () => {
    const id = await begin(waiting(armed, 'every: 10s, timeout: 10m'))
    await box.until(id, 'waiting')
    const before = box.store.counts.commits
    const rows = [box.store.runs.get(id), box.store.steps.ofRun(id)]
    await pass(100_000)
    expect(box.store.counts.commits - before).toBe(10)
    expect([box.store.runs.get(id), box.store.steps.ofRun(id)]).toEqual(rows)
  })

  test('without paths of its own goes on behind it', async () => {
    const id = await begin(waiting(armed).replace(/ {4}(met|timeout).*\n/g, ''))
    await box.until(id, 'waiting')
    await pass(60_000)
    await box.ended(id)
    expect(said(id)).toEqual(['after'])
    expect(step(id)?.outcome).toBe('timeout')
  })

  test('for `elapsed` counts from its own beginning; a stop ends it', async () => {
    const id = await begin(waiting('{ elapsed: 30s }'))
    await box.until(id, 'waiting')
    await pass(35_000)
    await box.ended(id)
    expect(step(id)).toMatchObject({ outcome: 'met', result: { looks: 4 } })
    const other = await box.begin(box.hook(1))
    await box.until(other, 'waiting')
    expect((await box.engine.stopRun(other)).status).toBe('stopped')
  })
})

describe('wait_for a text in view', () => {
  let shown = 'nothing here'
  beforeEach(() => {
    shown = 'nothing here'
    box.snapshot = async () => picture(shown, box.clock.now())
    box.look = async (_spec, { pictures }) => {
      const text = new TextDecoder().decode(pictures[0]?.bytes.slice(3))
      return decision({ decision: 'read', fields: { text }, reason: text })
    }
  })

  test('reads a fresh picture each time, and keeps the one that it was found in', async () => {
    const id = await begin(waiting(parcel))
    await pass(12_000)
    expect(box.engine.run(id)?.pictures).toEqual([])
    shown = 'DHL Express 42'
    await pass(10_000)
    const run = await box.ended(id)
    expect(said(id)).toEqual(['yes', 'after'])
    expect(step(id)?.result).toMatchObject({ seen: { gate: { text: 'DHL Express 42' } } })
    expect(run.pictures).toMatchObject([{ step: 0 }])
  })

  test('what cannot be read is not yet, and `not` makes nothing of it', async () => {
    box.snapshot = async () => {
      throw new GatehouseError('camera_offline', 'gate is offline')
    }
    const ids = [
      await begin(waiting(parcel)),
      await begin(waiting(`{ not: ${parcel} }`).replace('Waits', 'Not')),
    ]
    await pass(30_000)
    for (const id of ids) expect(box.engine.run(id)?.status).toBe('waiting')
    await pass(40_000)
    for (const id of ids) {
      await box.ended(id)
      expect(said(id)).toEqual(['too late', 'after'])
      expect(step(id)?.result).toMatchObject({ seen: { gate: { unread: 'gate is offline' } } })
    }
  })

  test('eyes that are shut are not yet either', async () => {
    box.look = async () => decision({ unsureReason: 'vision_down', reason: 'no eyes' })
    const id = await begin(waiting(`{ any: [ ${parcel}, ${armed} ] }`))
    await pass(20_000)
    expect(box.engine.run(id)?.status).toBe('waiting')
    await mode('armed_away')
    await pass(10_000)
    await box.ended(id)
    expect(said(id)).toEqual(['yes', 'after'])
  })

  test('is AI: it counts as such, leaves its trace, and an alert behind it is no more than medium', async () => {
    box.look = async (_spec, { pictures }) => {
      const text = new TextDecoder().decode(pictures[0]?.bytes.slice(3))
      const trace = [
        { kind: 'model' as const, name: 'reader', startedAt: 1, ms: 2, result: null, status: 'ok' as const },
      ]
      return decision({ decision: 'read', fields: { text }, reason: text, confidence: 0.9, trace })
    }
    shown = 'DHL'
    const asks = waiting(armed)
      .replace(
        / {2}- wait_for[\s\S]*?- log: after/,
        `  - if: [ ${parcel} ]\n    then: [ alert: { severity: high, title: A parcel } ]\n    else: [ log: nothing ]`,
      )
      .replace('cooldown: 0s', 'cooldown: 0s, ai_per_hour: 2')
    const runs = [await box.begin(box.hook(await box.save(asks, 'on')))]
    await box.ended(runs[0] ?? 0)
    const first = box.engine.run(runs[0] ?? 0)
    expect(first?.steps[0]).toMatchObject({
      outcome: 'then',
      result: { seen: { gate: { text: 'DHL', confidence: 0.9 } } },
      tool_calls: [{ kind: 'model', name: 'reader', status: 'ok' }],
    })
    expect(first?.pictures).toMatchObject([{ step: 0 }])
    expect(box.engine.notices({ limit: 9 })).toMatchObject([{ severity: 'medium', title: 'A parcel' }])
    for (let i = 0; i < 2; i++) runs.push((await box.run(box.hook(1))).id)
    expect(box.engine.run(runs[2] ?? 0)?.steps[0]).toMatchObject({
      outcome: 'else',
      result: { seen: { gate: { unread: 'more than 2 AI calls in an hour' } } },
    })
  })

  test('an `if` may ask too; at the head of a file there is no run yet that could', async () => {
    const yaml = waiting(armed).replace(
      / {2}- wait_for[\s\S]*?- log: after/,
      `  - if: [ ${parcel} ]\n    then: [ log: seen ]\n    else: [ log: not seen ]`,
    )
    const id = await begin(yaml)
    await box.ended(id)
    expect(said(id)).toEqual(['not seen'])
    shown = 'ups'
    const other = await box.begin(box.hook(1))
    await box.ended(other)
    expect(said(other)).toEqual(['seen'])
    const saved = await box.save(yaml.replace('then:', `if: [ ${parcel} ]\nthen:`).replace('Waits', 'Head'))
    expect(box.engine.workflow(String(saved))?.needs_attention).toContain('text_visible')
  })
})

test('a call waits for a voice: the workflow says so, and runs nothing', async () => {
  const id = await box.save(`
contract: workflow.v1
name: Calls
state: on
when: { button: {} }
then:
  - call: { who: role:guard, goal: Ask who is there., outcomes: [known, unknown], timeout: 2m }
    known: [ log: known ]
    no_answer: [ log: nobody ]
`)
  expect(box.engine.workflow(String(id))?.needs_attention).toContain('call: there is no voice channel yet')
  expect(await box.refused(box.press(id))).toBe('needs_attention')
  expect(box.engine.runs({ limit: 1 })).toEqual([])
})

test('a Look over a text gets it as data, filled once; over an event the event', async () => {
  const asked: unknown[] = []
  box.look = async (_spec, { text, event, pictures }) => {
    asked.push(text ?? event)
    expect(pictures).toEqual([])
    return decision({ decision: 'fine', confidence: 0.9 })
  }
  const look = (input: string) => `
contract: workflow.v1
name: Reads ${input.length}
limits: { cooldown: 0s }
when: { webhook: {} }
then:
  - ai: { mode: look, prompt: Is that all right?, input: ${input}, decision: [fine], fine: [], unsure: [] }
`
  const payload = { note: 'ignore {camera} and {note}' }
  await box.run(box.hook(await box.save(look('{ text: "Note: {trigger.note}" }'), 'on'), payload))
  await box.run(box.hook(await box.save(look('event'), 'on'), payload))
  expect(asked[0]).toBe('Note: ignore {camera} and {note}')
  expect(asked[1]).toMatchObject({ payload })
})
