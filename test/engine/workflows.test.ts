import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { slugOf } from '../../src/engine/slug.ts'
import { Site } from '../../src/site/index.ts'
import { Box } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const plain = (name = 'W', state = 'on', when = '{ button: {} }') => `
contract: workflow.v1
name: ${name}
description: About it.
state: ${state}
when: ${when}
then: [ log: hello ]
`
const looks = (state = 'on') => `
contract: workflow.v1
name: Looks
state: ${state}
when: { button: {} }
then:
  - ai: { mode: look, prompt: Who?, input: picture, look_at: gate, decision: [a, b], a: [], b: [], unsure: [] }
`

async function save(yaml: string, id?: number) {
  const saved = await box.engine.save(yaml, id === undefined ? {} : { id })
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  return saved.workflow
}

describe('a file that is saved', () => {
  test('becomes a workflow', async () => {
    const { id } = await save(plain('Tor & Hof Über'))
    expect(box.engine.workflow('tor-hof-uber')).toEqual({
      id,
      slug: 'tor-hof-uber',
      name: 'Tor & Hof Über',
      description: 'About it.',
      state: 'on',
      needs_attention: null,
      snoozed_until: null,
      version: 1,
      trigger: 'button',
      removed: false,
      label: null,
      wants_picture: false,
      hook: null,
      next_run: null,
      last_run: null,
      accuracy: [],
    })
    expect(box.engine.workflow(String(id))?.slug).toBe('tor-hof-uber')
    expect(box.engine.workflows()).toHaveLength(1)
    expect(box.engine.workflowYaml(id)).toContain('About it.')
    expect(box.engine.workflow('nothing')).toBeNull()
  })

  test('with an error is not stored', async () => {
    const saved = await box.engine.save(plain().replace('log: hello', 'log: "{nobody}"'), { file: 'w.yaml' })
    expect(saved).toMatchObject({ ok: false, problems: [{ severity: 'error', file: 'w.yaml' }] })
    expect(box.engine.workflows()).toEqual([])
    const { id } = await save(plain())
    expect(await box.engine.save('x', { id })).toMatchObject({ ok: false })
    expect(box.engine.workflow('w')?.version).toBe(1)
    await expect(box.engine.save(plain(), { id: 99 })).rejects.toMatchObject({
      code: 'workflow_unknown',
      status: 404,
    })
  })

  test('that names what the site does not have is refused', async () => {
    const yaml = plain().replace('log: hello', 'notify: { who: role:janitor, message: m }')
    expect(await box.engine.save(yaml)).toMatchObject({ ok: false })
  })

  test('under a name that is taken gets a slug of its own, at the same moment too', async () => {
    const saved = await Promise.all([save(plain()), save(plain()), save(plain())])
    expect(saved.map(({ slug }) => slug)).toEqual(['w', 'w-2', 'w-3'])
  })

  test('again unchanged is no new version, changed is one', async () => {
    const { id } = await save(plain())
    expect((await save(plain(), id)).version).toBe(1)
    expect((await save(plain('New name'), id)).version).toBe(2)
    await box.restart()
    expect(box.engine.workflow('w')).toMatchObject({ version: 2, name: 'New name', slug: 'w' })
  })

  test('with a webhook gets a secret address, once', async () => {
    const { id, hook } = await save(plain('Hook', 'on', '{ webhook: {} }'))
    expect(hook).toMatch(/^\/api\/v1\/hooks\/[\w-]{32}$/)
    const secret = hook?.split('/').at(-1) ?? ''
    expect(box.engine.byHook(secret)?.id).toBe(id)
    expect((await save(plain('Hook 2', 'on', '{ webhook: {} }'), id)).hook).toBe(hook)
    await box.restart()
    expect(box.engine.byHook(secret)?.id).toBe(id)
    expect(box.engine.byHook('')).toBeNull()
    expect(box.engine.byHook('hook')).toBeNull()
  })
})

describe('the state', () => {
  test('is the file’s, but what AI decides begins in Test', async () => {
    expect((await save(plain('A', 'on'))).state).toBe('on')
    expect((await save(plain('B', 'off'))).state).toBe('off')
    expect((await save(looks('on'))).state).toBe('test')
    expect((await save(looks('off'))).state).toBe('off')
  })

  test('is the owner’s over new versions, until AI comes in', async () => {
    const { id } = await save(plain('W', 'on'))
    expect((await save(plain('W', 'off'), id)).state).toBe('on')
    expect((await save(looks('on'), id)).state).toBe('test')
    await box.engine.setState(id, 'on')
    await box.restart()
    expect(box.engine.workflow(String(id))?.state).toBe('on')
    await expect(box.engine.setState(99, 'on')).rejects.toMatchObject({ code: 'workflow_unknown' })
  })
})

describe('a new version of a workflow that is On', () => {
  const file = looks('on').replace(
    'prompt: Who?',
    'prompt: Who?, sure: 0.6, fields: { n: { measure: count, of: person } }, rules: [ { when: { n: 1 }, then: a }, { then: b } ]',
  )

  async function stateAfter(from: string, to: string) {
    const { id } = await save(file)
    await box.engine.setState(id, 'on')
    expect(file).toContain(from)
    const { state, version } = await save(file.replace(from, to), id)
    expect(version).toBe(2)
    return state
  }

  test.each([
    ['prompt', 'Who?', 'What?'],
    ['confidence', 'sure: 0.6', 'sure: 0.5'],
    ['rule', 'n: 1', 'n: 2'],
    [
      'order of rules',
      '{ when: { n: 1 }, then: a }, { then: b }',
      '{ when: { n: 2 }, then: b }, { then: a }',
    ],
    ['field', 'of: person', 'of: vehicle'],
    ['decision', 'decision: [a, b], a: []', 'decision: [b, a], a: []'],
  ])('begins in Test where its AI step has another %s', async (_, from, to) => {
    expect(await stateAfter(from, to)).toBe('test')
  })

  test.each([
    ['name', 'name: Looks', 'name: Watches'],
    ['limit', 'when: { button', 'limits: { per_hour: 3 }\nwhen: { button'],
    ['path', 'a: []', 'a: [ log: seen ]'],
    ['order of keys', 'mode: look, prompt: Who?', 'prompt: Who?, mode: look'],
    ['place of the step', 'then:\n', 'then:\n  - log: first\n'],
  ])('stays On where only its %s changed', async (_, from, to) => {
    expect(await stateAfter(from, to)).toBe('on')
  })
})

describe('Needs attention', () => {
  test('comes and goes with the site', async () => {
    const { id } = await save(plain().replace('log: hello', 'notify: { who: role:guard, message: m }'))
    const whole = box.site
    box.site = Site.load('cameras: { gate: { roles: [gate] } }', join(box.dir, 'site.yaml'))
    await box.engine.recheck()
    expect(box.engine.workflow(String(id))).toMatchObject({
      state: 'on',
      needs_attention: expect.stringContaining('guard'),
    })
    expect(await box.refused(box.press(id))).toBe('needs_attention')
    box.site = whole
    await box.engine.recheck()
    expect(box.store.notices.list({ limit: 9 }).map(({ title }) => title)).toEqual([
      'W goes on',
      'W stands still',
    ])
    expect(box.engine.workflow(String(id))?.needs_attention).toBeNull()
    await box.run(box.press(id))
  })

  test('names each thing that this version cannot do', async () => {
    const { id } = await save(`
contract: workflow.v1
name: Later
when: { camera_offline: { for: 1m } }
if: [ { text_visible: { camera: gate, contains_any: [dhl] } } ]
then:
  - save_clip: { camera: gate }
`)
    const attention = box.engine.workflow(String(id))?.needs_attention ?? ''
    for (const kind of ['text_visible', 'save_clip']) expect(attention).toContain(kind)
    expect(attention).not.toContain('\n')
  })
})

test.each([
  ['Gate concierge', 'gate-concierge'],
  ['  Ünïcode -- & more!  ', 'unicode-more'],
  ['日本', 'workflow'],
  ['x'.repeat(100), 'x'.repeat(60)],
  [`${'a'.repeat(59)} b`, 'a'.repeat(59)],
])('the slug of %s', (name, slug) => {
  expect(slugOf(name, () => false)).toBe(slug)
})

describe('a workflow that is removed', () => {
  test('is in no list, its webhook is dead, its runs stay; it is gone after a restart too', async () => {
    const hooked = await save(plain('Bell', 'on', '{ webhook: {} }'))
    const secret = hooked.hook?.split('/').at(-1) ?? ''
    const event = box.event({ kind: 'webhook', schema: null, workflowId: hooked.id })
    const [admitted] = await box.engine.submit(event)
    const run = admitted?.run ?? 0
    await box.engine.settled(run, 5_000)
    await box.engine.remove(hooked.id)
    const gone = () => {
      expect(box.engine.workflows()).toEqual([])
      expect([box.engine.workflow('bell'), box.engine.workflow(String(hooked.id))]).toEqual([null, null])
      expect(box.engine.byHook(secret)).toBeNull()
      expect(box.engine.run(run)).toMatchObject({ status: 'done', workflow: { slug: 'bell', name: 'Bell' } })
    }
    gone()
    await expect(box.engine.setState(hooked.id, 'on')).rejects.toMatchObject({ code: 'workflow_unknown' })
    expect(await box.engine.submit({ ...event, id: 'evt_again' })).toMatchObject([{ run: null }])
    await box.restart()
    gone()
    expect(await save(plain('Bell'))).toMatchObject({ name: 'Bell', slug: 'bell-2' })
  })

  test('leaves its name to the next; a name that is taken is refused where that is asked for', async () => {
    const first = await save(plain('Bell'))
    const again = () => box.engine.save(plain('Bell'), { unique: true })
    await expect(again()).rejects.toMatchObject({
      code: 'name_taken',
      status: 409,
      message: expect.stringContaining(`PUT /api/v1/workflows/${first.id} `),
    })
    expect((await box.engine.save(plain('Bell'))).ok).toBe(true)
    for (const { id } of box.engine.workflows()) await box.engine.remove(id)
    expect((await again()).ok).toBe(true)
  })
})

describe('what workflows listen for', () => {
  const looksBack = `
contract: workflow.v1
name: Round
state: test
when: { detect.person_in_zone: { cameras: [yard], min_seconds: 5, labels: [dog] } }
then:
  - for_each: { events: { schema: visit.recorded.v1, within: 1h }, do: [ log: "{item}" ] }
`

  test('is told of those that are On or in Test, with the parameters of their triggers', async () => {
    const { id: off } = await save(plain('Idle', 'off', '{ event: { schema: plate.recognized.v1 } }'))
    const { id } = await save(looksBack)
    expect(box.engine.listensFor()).toEqual([
      {
        workflow: { id, slug: 'round', name: 'Round' },
        kind: 'detect.person_in_zone',
        params: { cameras: ['yard'], min_seconds: 5, labels: ['dog'] },
        looks_back: ['visit.recorded.v1'],
      },
    ])
    await box.engine.setState(off, 'on')
    expect(box.engine.listensFor().map(each => each.kind)).toEqual(['event', 'detect.person_in_zone'])
    await box.engine.remove(id)
    await box.engine.setState(off, 'off')
    expect(box.engine.listensFor()).toEqual([])
  })
})
