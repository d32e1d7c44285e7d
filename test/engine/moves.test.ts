import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatehouseError } from '../../src/core/index.ts'
import { Uncertain } from '../../src/kinds/index.ts'
import { Site } from '../../src/site/index.ts'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const gate = (wait = '') => `
contract: workflow.v1
name: Residents
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      ${wait}
      - webhook: { to: barrier, json: open }
      - log: opened
  - log: behind
always:
  - log: end
`

const authority = (when: string, name = 'Arm') => `
contract: workflow.v1
name: ${name}
state: on
limits: { cooldown: 0s }
when: ${when}
then: [ site_mode: { to: armed_away } ]
`

const outcome = (run: Awaited<ReturnType<Box['run']>>) => [
  run.status,
  run.steps.map(({ path, status }) => `${path} ${status}`),
]

describe('a move', () => {
  test('is an intent before it is made, and made once', async () => {
    await box.save(gate())
    const intents: unknown[] = []
    box.answer = () => {
      intents.push(box.store.intents.ofRun(1).map(({ kind, params, status }) => ({ kind, params, status })))
      return 200
    }
    const run = await box.run(box.event())
    expect(run.status).toBe('done')
    expect(intents).toEqual([
      [{ kind: 'webhook', params: { to: 'barrier', json: 'open' }, status: 'intended' }],
    ])
    expect(box.store.intents.ofRun(run.id)).toMatchObject([{ status: 'done' }])
    expect(box.sent).toHaveLength(1)
  })

  test('that was refused ends all of `then`; `always` runs and the run has failed', async () => {
    await box.save(gate())
    box.answer = () => 403
    const run = await box.run(box.event())
    expect(outcome(run)).toEqual(['failed', ['then[0] done', 'then[0].then[0] failed', 'always[0] done']])
    expect(run.error).toContain('403')
    expect(box.sent).toHaveLength(1)
    expect(box.store.intents.ofRun(run.id)).toMatchObject([{ status: 'failed' }])
  })

  test.each([
    ['no clear answer', () => 502],
    ['none at all', () => new GatehouseError('destination_unanswered', 'no answer in time')],
    ['a redirect', () => new GatehouseError('destination_redirected', 'elsewhere')],
    ['an error nobody knows', () => new TypeError('boom')],
    ['an action that says so', () => new Uncertain('perhaps')],
  ])('with %s is unknown: not tried again, somebody is told, a person settles it', async (_, answer) => {
    await box.save(gate())
    box.answer = answer
    const run = await box.run(box.event())
    expect(outcome(run)).toEqual(['unknown', ['then[0] done', 'then[0].then[0] unknown', 'always[0] done']])
    expect(box.sent).toHaveLength(1)
    expect(box.notices(run.id)).toMatchObject([{ kind: 'alert', severity: 'high' }])
    await box.restart()
    expect(box.sent).toHaveLength(1)
    const settled = await box.engine.settle(run.id, true, 'Ann')
    expect(settled.status).toBe('done')
    expect(settled.steps[1]).toMatchObject({
      status: 'done',
      result: { settled: { happened: true, by: 'Ann' } },
    })
    await expect(box.engine.settle(run.id, false, 'Bob')).rejects.toMatchObject({ code: 'nothing_unknown' })
  })

  test('of a run with several that are unknown is settled by its step, and the run with the last of them', async () => {
    const id = await box.save(
      authority('{ button: {} }').replace(
        /then: .*/,
        'then: [ webhook: { to: barrier, json: 1 } ]\nalways: [ webhook: { to: barrier, json: 2 } ]',
      ),
    )
    box.answer = () => 502
    const settle = (run: number, happened: boolean, step?: number) =>
      box.engine.settle(run, happened, 'Ann', step)
    for (const [first, second, status] of [
      [true, true, 'done'],
      [true, false, 'failed'],
      [false, true, 'failed'],
    ] as const) {
      const run = await box.run(box.press(id))
      expect(outcome(run)).toEqual(['unknown', ['then[0] unknown', 'always[0] unknown']])
      const unnamed = { code: 'which_move', message: expect.stringContaining('0, 1') }
      await expect(settle(run.id, true)).rejects.toMatchObject(unnamed)
      await expect(settle(run.id, true, 7)).rejects.toMatchObject(unnamed)
      expect(outcome(await settle(run.id, second, 1))[0]).toBe('unknown')
      expect((await settle(run.id, first)).status).toBe(status)
      const steps = box.engine.run(run.id)?.steps ?? []
      expect(steps.map(step => step.status)).toEqual([first, second].map(it => (it ? 'done' : 'failed')))
    }
  })

  test('of which nothing can have left has failed, not become unknown', async () => {
    await box.save(gate())
    box.answer = () => new GatehouseError('destination_unreachable', 'refused')
    const run = await box.run(box.event())
    expect(run.status).toBe('failed')
    expect(box.sent).toHaveLength(1)
  })
})

describe('just before a move', () => {
  const waiting = gate('- wait: 10s')

  async function during(change: () => unknown) {
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    await change()
    box.clock.advance(10_000)
    const run = await box.ended(id)
    return {
      run,
      code: run.steps.find(({ kind }) => kind === 'webhook')?.result as { code?: string } | undefined,
    }
  }

  const changed = (from: string, to: string) => {
    box.site = Site.load(SITE_TEXT.replace(from, to), join(box.dir, 'site.yaml'))
  }
  const SITE_TEXT = `
cameras: { gate: { roles: [gate] } }
lists: { residents: [B-AB 123] }
destinations: { barrier: { url: "http://127.0.0.1:9/", class: move } }
`

  test('nothing has changed: it is made', async () => {
    await box.save(waiting)
    expect((await during(() => {})).run.status).toBe('done')
    expect(box.sent).toHaveLength(1)
  })

  test('the plate is not in the list any more', async () => {
    await box.save(waiting)
    const { run, code } = await during(() => changed('[B-AB 123]', '[]'))
    expect([run.status, code?.code]).toEqual(['failed', 'guard_gone'])
    expect(box.sent).toEqual([])
  })

  test('the workflow is not On any more', async () => {
    const id = await box.save(waiting)
    const { code } = await during(() => box.engine.setState(id, 'test'))
    expect(code?.code).toBe('not_on')
    expect(box.sent).toEqual([])
  })

  test('it is Off, though a new version came in between', async () => {
    const id = await box.save(waiting)
    const { code } = await during(async () => {
      await box.engine.save(waiting.replace('log: opened', 'log: open'), { id })
      await box.engine.recheck()
      await box.engine.setState(id, 'off')
    })
    expect(code?.code).toBe('not_on')
    expect(box.sent).toEqual([])
  })

  test('it is more than a minute late', async () => {
    await box.save(waiting)
    const { code } = await during(async () => {
      await box.engine.stop()
      box.clock.advance(71_000)
      await box.restart()
    })
    expect(code?.code).toBe('expired')
    expect(box.sent).toEqual([])
  })

  test('it is late, but by less', async () => {
    await box.save(waiting)
    const { run } = await during(async () => {
      await box.engine.stop()
      box.clock.advance(50_000)
      await box.restart()
    })
    expect(run.status).toBe('done')
  })

  test('what was listed as informing is a move by now', async () => {
    changed('class: move', 'class: tell')
    await box.save(
      gate('- wait: 10s').replace(/- if.*\n.*then:/, '- if: [ site_mode: [disarmed] ]\n    then:'),
    )
    const { run, code } = await during(() => changed('', ''))
    expect([run.status, code?.code]).toEqual(['failed', 'unguarded'])
    expect(box.sent).toEqual([])
  })
})

describe('an identity guards', () => {
  const code = async (event: Parameters<Box['event']>[0]) => {
    const run = await box.run(box.event(event))
    return (
      (run.steps.find(({ kind }) => kind === 'webhook')?.result as { code?: string } | undefined)?.code ??
      run.status
    )
  }

  test('only a plate that was read surely enough', async () => {
    await box.save(gate())
    const plate = (confidence: unknown) => ({
      payload: { plate_text: 'B-AB 123', confidence: confidence as number },
    })
    expect(await code(plate(0.9))).toBe('done')
    for (const unsure of [0.89, null, '0.99', 2, Number.NaN])
      expect(await code(plate(unsure))).toBe('guard_gone')
    expect(box.sent).toHaveLength(1)
  })

  test('the access system’s own word, and only that', async () => {
    const file = gate().replace('plate.recognized.v1', 'access.decided.v1')
    await box.save(file.replace(/in_list: .*\]/, 'value: { of: decision, is: allow } ]'))
    const decided = (decision: string, more = {}) =>
      code({ schema: 'access.decided.v1', payload: { plate_text: 'B-AB 123', decision }, ...more })
    expect(await decided('allow')).toBe('done')
    expect(box.sent).toHaveLength(1)
    for (const other of ['deny', 'allowed', 'állow', '']) expect(await decided(other)).toBe('done')
    expect(box.sent).toHaveLength(1)
    expect(await decided('allow', { chain: ['other'] })).toBe('unguarded')
  })

  test('nothing that a workflow led to', async () => {
    await box.save(gate())
    expect(await code({ chain: ['other'] })).toBe('unguarded')
    expect(await code({ correlationId: 'run_box_7' })).toBe('unguarded')
    expect(await code({ correlationId: 'from-the-nvr' })).toBe('done')
    expect(box.sent).toHaveLength(1)
  })
})

describe('a trigger as the authority', () => {
  const mode = () => box.store.meta.get('site_mode')

  test('is a press of a known person', async () => {
    const id = await box.save(authority('{ button: {} }'))
    const nobody = await box.run(box.press(id, null))
    expect(nobody.steps[0]?.result).toMatchObject({ code: 'unidentified' })
    expect(mode()).toBeNull()
    const run = await box.run(box.press(id))
    expect([run.status, mode()]).toEqual(['done', 'armed_away'])
    expect(run.steps[0]?.result).toEqual({ from: 'disarmed', to: 'armed_away' })
    expect(run.values.pressed_by).toBe('Ann')
  })

  test('is the hook that an admin trusts, as long as it is', async () => {
    const id = await box.save(authority('{ button: {} }', 'Trusted'))
    const saved = await box.engine.save(authority('{ webhook: {} }', 'Trusted'), { id })
    expect(saved.ok).toBe(true)
    await box.run(box.hook(id))
    expect(mode()).toBe('armed_away')
    box.site = Site.load('cameras: {}\nmodes: [disarmed, armed_away]', join(box.dir, 'site.yaml'))
    const run = await box.run(box.hook(id))
    expect(run.steps[0]).toMatchObject({ status: 'failed', result: { code: 'unguarded' } })
  })

  test('expires for a press that waited too long for its turn', async () => {
    const id = await box.save(authority('{ button: {} }').replace('[ site_mode', '[ wait: 90s, site_mode'))
    const first = await box.begin(box.press(id))
    await box.until(first, 'waiting')
    expect(await box.refused(box.press(id))).toBe('queued')
    box.clock.advance(90_000)
    expect((await box.ended(first)).status).toBe('done')
    await expect.poll(() => box.engine.runs({ limit: 5 })[0]?.status).toBe('waiting')
    box.clock.advance(90_000)
    await expect.poll(() => box.engine.runs({ limit: 5 })[0]?.status).toBe('failed')
    expect(box.engine.run(2)?.steps.at(-1)?.result).toMatchObject({ code: 'expired' })
  })
})

test('a critical alert is no more than high where its guard does not hold', async () => {
  const alert = gate().replace(
    'webhook: { to: barrier, json: open }',
    'alert: { severity: critical, title: t }',
  )
  await box.save(alert)
  const severity = async (confidence: number) => {
    const run = await box.run(box.event({ payload: { plate_text: 'B-AB 123', confidence } }))
    return box.notices(run.id)[0]?.severity
  }
  expect(await severity(0.95)).toBe('critical')
  expect(await severity(0.5)).toBe('high')
})
