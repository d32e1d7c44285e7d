import { expect, test } from 'vitest'
import { parse, type Workflow } from '../../../src/contract/index.ts'
import { effectAt, guardFacts, guardingCameras, needsGuard } from '../../../src/contract/proof/index.ts'
import { siteOf } from './corpus.ts'

function read(text: string): Workflow {
  const { workflow, problems } = parse(`contract: workflow.v1\nname: Facts\n${text}`)
  if (!workflow) throw new Error(problems.map(problem => problem.message).join('\n'))
  return workflow
}

const asks = read(`
when: { alert: { source: intrusion } }
then:
  - ask_person: { who: role:guard, message: Open?, replies: [Let in, Leave], timeout: 60s }
    Let in:
      - wait: 2m
      - app: { id: gate-controller, action: open }
      - alert: { severity: critical, title: Open }
    Leave: [ log: left ]
`)

test('a reply: which question, which answer, and how long ago at most', () => {
  expect(guardFacts(asks, 'then[0]["Let in"][1]')).toEqual({
    kind: 'reply',
    from: 'then[0]',
    reply: 'Let in',
    waited: 120_000,
  })
  expect(guardFacts(asks, 'then[0].Leave[0]')).toMatchObject({ kind: 'reply', reply: 'Leave' })
  expect(guardFacts(asks, 'then[0]')).toBeNull()
  expect(guardFacts(asks, 'then[7]')).toBeNull()
})

test('moves and critical alerts need one, other steps do not', () => {
  expect(needsGuard(asks, 'then[0]["Let in"][1]')).toBe(true)
  expect(needsGuard(asks, 'then[0]["Let in"][2]')).toBe(true)
  expect(needsGuard(asks, 'then[0].Leave[0]')).toBe(false)
  const site = siteOf({ apps: { 'gate-controller': { open: true } } })
  expect(needsGuard(asks, 'then[0]["Let in"][1]', site)).toBe(false)
})

const residents = read(`
when: { event: { schema: plate.recognized.v1, where: { plate_text: [AB12] } } }
if:
  - site_mode: [disarmed]
  - all: [ in_list: { list: residents, value: "{plate}" }, time: { from: "06:00", to: "22:00" } ]
then:
  - app: { id: gate-controller, action: open }
`)

test('an identity: the conditions that guard, to be asked again', () => {
  expect(guardFacts(residents, 'then[0]')).toEqual({
    kind: 'identity',
    from: 'when',
    waited: 0,
    conditions: [
      { kind: 'value', params: { of: 'trigger.plate_text', in: ['AB12'] } },
      { kind: 'in_list', params: { list: 'residents', value: '{plate}' } },
    ],
  })
})

test('in a run that AI led to, neither an identity nor the trigger counts, and a reply does', () => {
  expect(guardFacts(residents, 'then[0]', undefined, { tainted: true })).toBeNull()
  expect(guardFacts(asks, 'then[0]["Let in"][1]', undefined, { tainted: true })).toMatchObject({
    kind: 'reply',
  })
  const button = read('when: { button: {} }\nthen: [ app: { id: gate-controller, action: open } ]')
  expect(guardFacts(button, 'then[0]')).toEqual({ kind: 'authority', from: 'when', waited: 0 })
  expect(guardFacts(button, 'then[0]', undefined, { tainted: true })).toBeNull()
})

test('what a site says of the trigger counts', () => {
  const site = siteOf({ trustedWebhook: true })
  const { workflow } = parse(
    'contract: workflow.v1\nname: W\nwhen: { webhook: {} }\nthen: [ app: { id: gate-controller, action: open } ]',
    { site },
  )
  if (!workflow) throw new Error('refused')
  expect(guardFacts(workflow, 'then[0]', site)).toMatchObject({ kind: 'authority' })
  expect(guardFacts(workflow, 'then[0]')).toBeNull()
})

test('turning the camera whose plates open the gate is a move, turning another is not', () => {
  const file = (cameras: string, camera: string) =>
    read(`
when: { event: { schema: plate.recognized.v1${cameras} } }
if: [ in_list: { list: residents, value: "{plate}" } ]
then:
  - app: { id: gate-controller, action: open }
  - ptz_preset: { ${camera}preset: street }
`)
  expect(effectAt(file(', cameras: [gate]', 'camera: gate, '), 'then[1]')).toBe('move')
  expect(effectAt(file(', cameras: [gate]', ''), 'then[1]')).toBe('move')
  expect(effectAt(file(', cameras: [gate]', 'camera: yard, '), 'then[1]')).toBe('tell')
  expect(effectAt(file('', 'camera: yard, '), 'then[1]')).toBe('move')
  expect(guardingCameras(file(', cameras: [gate]', ''))).toEqual(['gate'])
  expect(guardingCameras(file('', ''))).toBe('every')
  expect(guardingCameras(asks)).toEqual([])
})
