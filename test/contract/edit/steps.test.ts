import { describe, expect, test } from 'vitest'
import {
  addGuard,
  addOutcome,
  addStep,
  copyStep,
  editBetween,
  moveGuard,
  moveStep,
  parse,
  removeGuard,
  removeOutcome,
  removeStep,
  renameOutcome,
  renameStep,
  setHead,
  setTrigger,
  sketch,
} from '../../../src/contract/index.ts'

const FILE = `# Who comes?
contract: workflow.v1
name: Gate   # by the road
when:
  event: { schema: plate.recognized.v1, cameras: [gate] } # read by the camera
if:
  # not our own
  - not: { in_list: { list: residents, value: "{plate}" } }
then:
  # look first
  - name: look
    ai:
      mode: look
      prompt: What?
      input: picture
      fields: { cars: { measure: count, of: vehicle } }
      decision: [delivery, other] # in this order
      rules:
        # a van
        - { when: { cars: { at_least: 1 } }, then: delivery }
        - { then: other }
      delivery:
        - log: "{look.reason}" # why
      other: []  # nothing
      unsure: [ log: unsure ]
  # then tell
  - notify: { who: role:guard, message: "{look.decision}" }
`

/** Lines that went and came. */
function changes(text: string | null, before = FILE): string[] {
  const [old, now] = [before.split('\n'), text?.split('\n') ?? []]
  return [
    ...old.filter(line => !now.includes(line)).map(line => `-${line}`),
    ...now.filter(line => !old.includes(line)).map(line => `+${line}`),
  ]
}
const then = { parent: '', outcome: 'then' }
const log = (said: string) => ({ log: said })
const after = (text: string | null, line: string) => text?.split('\n')[text.split('\n').indexOf(line) - 1]

describe('a step', () => {
  test('comes first, before the comment of the one that was', () => {
    const text = addStep(FILE, then, 0, log('x'))
    expect(changes(text)).toEqual(['+  - log: x'])
    expect(after(text, '  # look first')).toBe('  - log: x')
  })

  test('comes between, and last', () => {
    const between = addStep(FILE, then, 1, log('x'))
    expect([changes(between), after(between, '  # then tell')]).toEqual([['+  - log: x'], '  - log: x'])
    expect(addStep(FILE, then, 2, log('x'))).toBe(`${FILE}  - log: x\n`)
  })

  test('comes on a path with steps, on one without, and on one in a line', () => {
    expect(changes(addStep(FILE, { parent: 'then[0]', outcome: 'delivery' }, 1, log('x')))).toEqual([
      '+        - log: x',
    ])
    expect(changes(addStep(FILE, { parent: 'then[0]', outcome: 'other' }, 0, log('x')))).toEqual([
      '-      other: []  # nothing',
      '+      other:  # nothing',
      '+        - log: x',
    ])
    expect(changes(addStep(FILE, { parent: 'then[0]', outcome: 'unsure' }, 0, log('x')))).toEqual([
      '-      unsure: [ log: unsure ]',
      '+      unsure: [ { log: x }, log: unsure ]',
    ])
  })

  test('opens a path that there was not: always, no answer, else', () => {
    expect(addStep(FILE, { parent: '', outcome: 'always' }, 0, log('x'))).toBe(`${FILE}always:\n  - log: x\n`)
    const asking = addStep(FILE, then, 2, {
      ask_person: { who: 'role:guard', message: 'In?', replies: ['Yes', 'No'], timeout: '60s' },
      Yes: [log('yes')],
    })
    const lane = { parent: 'then[2]', outcome: 'no_answer' }
    const text = addStep(asking ?? '', lane, 0, log('x'))
    expect(changes(text, asking ?? '')).toEqual(['+    no_answer:', '+      - log: x'])
    expect(removeStep(text ?? '', 'then[2].no_answer[0]')).toBe(asking)
    const no = addStep(text ?? '', { parent: 'then[2]', outcome: 'No' }, 0, log('n'))
    expect(sketch(no ?? '')?.then[2]?.paths).toMatchObject({ Yes: [{}], No: [{}], no_answer: [{}] })
    expect(no?.indexOf('    No:')).toBeLessThan(no?.indexOf('    no_answer:') ?? 0)
  })

  test('is written over lines where it has paths', () => {
    const text = addStep(FILE, { parent: 'then[0]', outcome: 'unsure' }, 1, {
      if: [{ value: { of: 'look.cars', at_least: 2 } }],
      then: [],
    })
    expect(text).toContain(`      unsure:
        - log: unsure
        - if:
            - value: { of: look.cars, at_least: 2 }
          then: []
`)
    expect(parse(text ?? '').workflow).toBeDefined()
  })

  test('goes with its comment, and with nothing else', () => {
    expect(changes(removeStep(FILE, 'then[1]'))).toEqual([
      '-  # then tell',
      '-  - notify: { who: role:guard, message: "{look.decision}" }',
    ])
    expect(changes(removeStep(FILE, 'then[0].delivery[0]'))).toEqual([
      '-      delivery:',
      '-        - log: "{look.reason}" # why',
      '+      delivery: []',
    ])
    expect([removeStep(FILE, 'then[7]'), removeStep(FILE, 'then'), removeStep(': [', 'then[0]')]).toEqual([
      null,
      null,
      null,
    ])
  })

  test('moves as it is written, comments and all', () => {
    const lane = { parent: 'then[0]', outcome: 'other' }
    const text = moveStep(FILE, 'then[1]', lane, 0)
    expect(text).toContain(`      other:  # nothing
        # then tell
        - notify: { who: role:guard, message: "{look.decision}" }
      unsure:`)
    expect(moveStep(text ?? '', 'then[0].other[0]', then, 1)).toContain(`
  # then tell
  - notify: { who: role:guard, message: "{look.decision}" }
`)
    const up = moveStep(FILE, 'then[1]', then, 0)
    expect(moveStep(up ?? '', 'then[1]', then, 0)).toBe(FILE)
    expect(moveStep(FILE, 'then[0].delivery[0]', { parent: 'then[0]', outcome: 'unsure' }, 0)).toContain(
      `      delivery: []
      other: []  # nothing
      unsure:
        - log: "{look.reason}" # why
        - log: unsure
`,
    )
  })

  test('is copied behind itself, without its name', () => {
    const text = copyStep(FILE, 'then[0]') ?? ''
    const [one, two, third] = sketch(text)?.then ?? []
    expect([one?.name, two?.name, third?.kind]).toEqual(['look', undefined, 'notify'])
    expect({ ...two, name: 'look' }).toEqual(one)
    expect(removeStep(text, 'then[1]')).toBe(FILE)
    expect(copyStep(FILE, 'then[9]')).toBeNull()
  })

  test('does not go into itself, nor to where it is', () => {
    expect(moveStep(FILE, 'then[0]', { parent: 'then[0]', outcome: 'other' }, 0)).toBeNull()
    expect([moveStep(FILE, 'then[1]', then, 1), moveStep(FILE, 'then[1]', then, 2)]).toEqual([null, null])
  })

  test('gets another name, and what refers to it follows', () => {
    expect(changes(renameStep(FILE, 'then[0]', 'first'))).toEqual([
      '-  - name: look',
      '-        - log: "{look.reason}" # why',
      '-  - notify: { who: role:guard, message: "{look.decision}" }',
      '+  - name: first',
      '+        - log: "{first.reason}" # why',
      '+  - notify: { who: role:guard, message: "{first.decision}" }',
    ])
    expect(changes(renameStep(FILE, 'then[1]', 'told'))).toEqual([
      '-  - notify: { who: role:guard, message: "{look.decision}" }',
      '+  - name: told',
      '+    notify: { who: role:guard, message: "{look.decision}" }',
    ])
  })
})

describe('a decision', () => {
  test('comes with a path, before unsure', () => {
    expect(changes(addOutcome(FILE, 'then[0]', 'cab'))).toEqual([
      '-      decision: [delivery, other] # in this order',
      '+      decision: [delivery, other, cab] # in this order',
      '+      cab: []',
    ])
    expect(addOutcome(FILE, 'then[0]', 'other')).toBeNull()
  })

  test('goes with its path and its rules', () => {
    expect(changes(removeOutcome(FILE, 'then[0]', 'other'))).toEqual([
      '-      decision: [delivery, other] # in this order',
      '-        - { then: other }',
      '-      other: []  # nothing',
      '+      decision: [delivery] # in this order',
    ])
  })

  test('gets another word everywhere', () => {
    const text = renameOutcome(FILE, 'then[0]', 'delivery', 'a van')
    expect(changes(text)).toEqual([
      '-      decision: [delivery, other] # in this order',
      '-        - { when: { cars: { at_least: 1 } }, then: delivery }',
      '-      delivery:',
      '+      decision: [a van, other] # in this order',
      '+        - { when: { cars: { at_least: 1 } }, then: a van }',
      '+      a van:',
    ])
    expect(parse(text ?? '').problems.filter(({ severity }) => severity === 'error')).toEqual([])
  })
})

describe('what keeps it out, and what starts it', () => {
  test('a guard comes, moves and goes', () => {
    const armed = { site_mode: ['armed_away'] }
    expect(changes(addGuard(FILE, 1, armed))).toEqual(['+  - site_mode: [armed_away]'])
    const first = addGuard(FILE, 0, armed) ?? ''
    expect(moveGuard(first, 0, 2)).toBe(addGuard(FILE, 1, armed))
    expect(removeGuard(first, 0)).toBe(FILE)
    const none = removeGuard(FILE, 0)
    expect(changes(none)).toEqual([
      '-if:',
      '-  # not our own',
      '-  - not: { in_list: { list: residents, value: "{plate}" } }',
    ])
    expect(changes(addGuard(none ?? '', 0, armed), none ?? '')).toEqual([
      '+if:',
      '+  - site_mode: [armed_away]',
    ])
  })

  test('another trigger keeps what it has in common with the old one, and the comment', () => {
    expect(changes(setTrigger(FILE, 'camera_offline', { for: '5m' }))).toEqual([
      '-  event: { schema: plate.recognized.v1, cameras: [gate] } # read by the camera',
      '+  camera_offline: { cameras: [gate], for: 5m } # read by the camera',
    ])
    expect(setTrigger('name: x\nthen: []\n', 'button', {})).toBe('name: x\nwhen: { button: {} }\nthen: []\n')
  })

  test('limits and texts of the head stand where they belong', () => {
    expect(changes(setHead(FILE, ['limits'], { cooldown: '5m' }))).toEqual(['+limits: { cooldown: 5m }'])
    expect(changes(setHead(FILE, ['name'], 'Back gate'))).toEqual([
      '-name: Gate   # by the road',
      '+name: Back gate   # by the road',
    ])
  })
})

describe('a sketch', () => {
  test('is there whatever is wrong, with all paths that there may be', () => {
    const drawn = sketch(
      'when: { button: }\nif: [1]\nthen:\n  - ai: { decision: [a, 2], a: x }\n  - notify:\n  - 5\n',
    )
    expect(drawn).toMatchObject({
      when: { kind: 'button', params: {} },
      if: [{ kind: '', params: null }],
      then: [
        { kind: 'ai', params: { decision: ['a', 2] }, paths: { a: [], unsure: [] } },
        { kind: 'notify', params: null, paths: {} },
        { kind: '', paths: {} },
      ],
    })
    expect([sketch('- a'), sketch('a: ['), sketch('')]).toEqual([null, null, null])
  })

  test('of a whole file is that file', () => {
    expect(sketch(FILE)).toEqual(parse(FILE).workflow)
  })
})

test('what differs is one replacement, and no more', () => {
  expect(editBetween('a: b\nc', 'a: bb\nc')).toEqual({ from: 4, to: 4, insert: 'b' })
  expect(editBetween('aa', 'a')).toEqual({ from: 1, to: 2, insert: '' })
  expect(editBetween('x', 'x')).toEqual({ from: 1, to: 1, insert: '' })
})
