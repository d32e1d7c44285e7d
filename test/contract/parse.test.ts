import { describe, expect, test } from 'vitest'
import { applyFix, type Problem, parse } from '../../src/contract/index.ts'

const placed = ({ severity, code, line, column, path }: Problem) =>
  `${severity} ${code} ${line}:${column} ${path}`
const head = 'contract: workflow.v1\nname: x\n'

describe('all problems come at once', () => {
  const text = `name: Bad one
satte: test
limits: { cooldown: 5 min }
when:
  event: { schema: plate.recognized.v1, camera: [gate] }
if:
  - time: { from: 22:00, to: 6:00 }
  - in_lists: { list: residents, value: {plate} }
then:
  - alrt: { severity: medium, title: x }
  - name: First Look
    ai:
      mode: look
      prompt: hi
      input: pictur
      fields: { who: [staff, 1] }
      decision: [a, b, 1]
      a: []
      b:
      bb: []
  - ask_person: { who: guard, message: {reason}, replies: [Yes, log], timeout: 60, default: Maybe }
    Yes: { log: "x" }
    Nope: []
  - log: 5
  - wait: 5 minutes
  - foo
`

  test('each at its place', () => {
    expect(parse(text).problems.map(placed)).toEqual([
      'warning contract_missing 1:1 contract',
      'error unknown_key 2:1 satte',
      'error invalid_duration 3:21 limits.cooldown',
      'error unknown_key 5:41 when.event.camera',
      'warning unquoted_time 7:19 if[0].time.from',
      'error invalid_time 7:30 if[0].time.to',
      'error unknown_kind 8:5 if[1].in_lists',
      'error unquoted_placeholder 8:41 if[1].in_lists.value',
      'error unknown_kind 10:5 then[0].alrt',
      'error invalid_name 11:11 then[1].name',
      'error missing_path 13:7 then[1]["1"]',
      'error missing_path 13:7 then[1].unsure',
      'error invalid_value 15:14 then[1].ai.input',
      'error not_text 16:30 then[1].ai.fields.who[1]',
      'error not_text 17:24 then[1].ai.decision[2]',
      'error not_a_list 19:9 then[1].b',
      'error unknown_key 20:7 then[1].ai.bb',
      'error invalid_value 21:24 then[2].ask_person.who',
      'error unquoted_placeholder 21:40 then[2].ask_person.message',
      'error reserved_reply 21:65 then[2].ask_person.replies[1]',
      'error invalid_duration 21:80 then[2].ask_person.timeout',
      'error not_a_list 22:10 then[2].Yes',
      'error unknown_key 23:5 then[2].Nope',
      'error not_text 24:10 then[3].log',
      'error invalid_duration 25:11 then[4].wait',
      'error not_a_step 26:5 then[5]',
    ])
  })

  test('and repairing one after the other leaves only what needs a person', () => {
    let now = text
    for (let round = 0; round < 40; round++) {
      const fixable = parse(now).problems.find(({ fix }) => fix)
      if (!fixable?.fix) break
      now = applyFix(now, fixable.fix)
    }
    const left = parse(now).problems.filter(({ severity }) => severity === 'error')
    expect(left.map(({ code }) => code)).toEqual([
      'unknown_key',
      'reserved_reply',
      'unknown_default',
      'unknown_key',
      'not_a_step',
    ])
  })
})

describe('problems deep in paths are named by node', () => {
  const text = `${head}when: { button: {} }
then:
  - ai:
      mode: look
      prompt: x
      input: event
      decision: [go]
      go:
        - ask_person: { who: role:guard, message: x, replies: [Let in, No], timeout: 1m }
          Let in:
            - for_each: { list: residents, do: [ alert: { severity: low, title: x, titel: y } ] }
            - log: { a: 1, a: 2 }
      unsure: []
`
  test('whatever their place in YAML', () => {
    const errors = parse(text).problems.filter(({ severity }) => severity === 'error')
    expect(errors.map(({ path }) => path)).toEqual([
      'then[0].go[0]["Let in"][0].do[0].alert.titel',
      'then[0].go[0]["Let in"][1].log',
      'then[0].go[0]["Let in"][1].log',
    ])
  })

  test.each([
    ['then[0]', '5:5'],
    ['then[0].ai.decision[0]', '9:18'],
    ['then[0].go[0]', '11:11'],
    ['then[0].go[0].ask_person.replies[1]', '11:72'],
    ['then[0].go[0]["Let in"][0].for_each.list', '13:33'],
    ['then[0].go[0]["Let in"][0].do[0].alert.title', '13:81'],
    ['then[0].go[0]["Let in"][0].do[0].alert.camera', '13:57'],
    ['then[0].go[0].nothing[3].there', '11:11'],
    ['when.button', '3:17'],
    ['', '1:1'],
    ['nonsense[[', '1:1'],
  ])('%s stands at %s', (path, at) => {
    const { line, column } = parse(text).locate(path)
    expect(`${line}:${column}`).toBe(at)
  })
})

test('a kind with a dot in its name is found', () => {
  const { locate } = parse(
    `${head}when:\n  detect.person_in_zone: { cameras: [gate], min_seconds: 5 }\nthen: [ log: x ]\n`,
  )
  expect(locate('when.detect.person_in_zone.min_seconds')).toMatchObject({ line: 4, column: 58 })
})

describe('warnings refuse nothing', () => {
  const ai = (rules: string, decision = '[a, b]') => `  - ai:
      mode: look
      prompt: x
      input: picture
      fields: { who: [staff, guest, other], n: { measure: count, of: person } }
      decision: ${decision}
      rules:
${rules}      a: []
      b: []
      unsure: []
`
  const file = (steps: string, when = 'webhook: {}') => `${head}when: { ${when} }\nthen:\n${steps}`

  test.each([
    ['contract_missing 1:1', `name: x\nwhen: { button: {} }\nthen: [ log: x ]\n`],
    ['unquoted_time 3:25', file('  - log: x\n', 'schedule: { at: 22:00 }')],
    [
      'unknown_payload_field 3:56',
      file('  - log: x\n', 'event: { schema: plate.recognized.v1, where: { plat: AB } }'),
    ],
    [
      'no_camera 8:14',
      file(ai('        - { when: { n: 1 }, then: a }\n        - { then: b }\n'), 'button: {}'),
    ],
    ['many_steps 5:3', file(Array.from({ length: 8 }, (_, i) => `  - log: step ${i}\n`).join(''))],
    [
      'unreachable_rule 13:11',
      file(ai('        - { then: a }\n        - { when: { who: staff }, then: b }\n')),
    ],
    [
      'unreachable_rule 13:11',
      file(
        ai(
          '        - { when: { who: [staff, guest] }, then: a }\n        - { when: { who: guest, n: 1 }, then: b }\n',
        ),
      ),
    ],
    ['decision_never_chosen 10:21', file(ai('        - { then: a }\n'))],
    [
      'investigate_without_rules 6:7',
      file(
        '  - ai:\n      mode: investigate\n      goal: x\n      tools: [camera_health]\n      decision: [a]\n      a: []\n      unsure: []\n',
      ),
    ],
  ])('%s', (expected, text) => {
    const { problems, workflow } = parse(text)
    expect(
      problems.map(({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`),
    ).toEqual([`warning ${expected}`])
    expect(workflow).toBeDefined()
  })

  test('rules that only look alike are all reachable', () => {
    const rules = [
      '{ when: { who: staff }, then: a }',
      '{ when: { who: [staff, guest] }, then: b }',
      '{ when: { n: { at_least: 2 } }, then: a }',
      '{ when: { n: 3, who: other }, then: b }',
      '{ then: b }',
    ]
    expect(parse(file(ai(rules.map(rule => `        - ${rule}\n`).join('')))).problems).toEqual([])
  })

  test('what must be repaired is repaired: the time, the contract', () => {
    const text = `name: x\nwhen: { schedule: { at: 22:00 } }\nthen: [ log: x ]\n`
    const fixed = parse(text).problems.reduceRight((now, { fix }) => (fix ? applyFix(now, fix) : now), text)
    expect(fixed).toBe(
      `contract: workflow.v1\nname: x\nwhen: { schedule: { at: "22:00" } }\nthen: [ log: x ]\n`,
    )
    expect(parse(fixed).problems).toEqual([])
  })
})

describe('a typed workflow', () => {
  test('has its defaults, parameters as written, and conditions as nodes', () => {
    const { workflow } = parse(`${head}when: { button: }
if: [ not: { any: [ site_mode: [on], camera: [gate] ] } ]
then:
  - name: first
    if: [ elapsed: 5m ]
    then: []
  - wait_for: { until: { elapsed: 5m }, every: 5s, timeout: 1h }
    timeout: [ log: no ]
`)
    expect(workflow).toEqual({
      contract: 'workflow.v1',
      name: 'x',
      state: 'test',
      limits: {},
      when: { kind: 'button', params: {} },
      if: [
        {
          kind: 'not',
          params: {
            kind: 'any',
            params: [
              { kind: 'site_mode', params: ['on'] },
              { kind: 'camera', params: ['gate'] },
            ],
          },
        },
      ],
      then: [
        { kind: 'if', name: 'first', params: [{ kind: 'elapsed', params: '5m' }], paths: { then: [] } },
        {
          kind: 'wait_for',
          params: { until: { kind: 'elapsed', params: '5m' }, every: '5s', timeout: '1h' },
          paths: { timeout: [{ kind: 'log', params: 'no', paths: {} }] },
        },
      ],
      always: [],
    })
  })

  test('of YAML 1.2: yes, no, on and off are text', () => {
    const { workflow } = parse(
      `${head}state: on\nwhen: { webhook: {} }\nthen: [ webhook: { to: lamp, json: [yes, No, ON, off, true, 0o17, 1_000] } ]\nneeds: { destinations: { lamp: tell } }\n`,
    )
    expect(workflow?.state).toBe('on')
    expect(workflow?.then[0]?.params).toEqual({
      to: 'lamp',
      json: ['yes', 'No', 'ON', 'off', true, 15, '1_000'],
    })
  })
})
