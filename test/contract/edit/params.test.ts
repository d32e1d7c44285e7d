import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Json, parse, setParam, walk } from '../../../src/contract/index.ts'

const FILE = `# Who comes?
contract: workflow.v1
name: Gate   # by the road
when:
  webhook: {}
then:
  # the guard first
  - notify: { who: role:guard, message: "Somebody, at the gate" } # short
  - ask_person:
      who: role:guard   # not the porter
      message: |
        Let them in?
        Or not?
      # as long as that
      timeout: 60s
      replies: [Let in, Refuse]
    Let in:
      - log: 'it''s in'
    Refuse: []
  - ai:
      mode: look
      prompt: What?
      input: picture
      decision: [a, b]
      a:
        - alert: { severity: low, title: A }
      b: []
      unsure: []
`

const set = (node: string, kind: string, key: string | null, value: Json) =>
  setParam(FILE, { node, kind, at: key === null ? [] : [key] }, value)
/** Lines that went and came. */
function changes(text: string | null): string[] {
  const [before, after] = [FILE.split('\n'), text?.split('\n') ?? []]
  return [
    ...before.filter(line => !after.includes(line)).map(line => `-${line}`),
    ...after.filter(line => !before.includes(line)).map(line => `+${line}`),
  ]
}

describe('a parameter', () => {
  test.each([
    [
      'in braces',
      'then[0]',
      'notify',
      'message',
      'He: "hi"',
      [
        '-  - notify: { who: role:guard, message: "Somebody, at the gate" } # short',
        '+  - notify: { who: role:guard, message: "He: \\"hi\\"" } # short',
      ],
    ],
    [
      'new, in braces',
      'then[0]',
      'notify',
      'severity',
      'low',
      [
        '-  - notify: { who: role:guard, message: "Somebody, at the gate" } # short',
        '+  - notify: { who: role:guard, message: "Somebody, at the gate", severity: low } # short',
      ],
    ],
    [
      'before a comment',
      'then[1]',
      'ask_person',
      'who',
      'role:porter',
      ['-      who: role:guard   # not the porter', '+      who: role:porter   # not the porter'],
    ],
    [
      'of several lines',
      'then[1]',
      'ask_person',
      'message',
      'One?\nTwo?\n',
      ['-        Let them in?', '-        Or not?', '+        One?', '+        Two?'],
    ],
    ['new, in lines', 'then[1]', 'ask_person', 'default', 'Refuse', ['+      default: Refuse']],
    [
      'that is all a step says',
      'then[1]["Let in"][0]',
      'log',
      null,
      "he's in",
      ["-      - log: 'it''s in'", "+      - log: 'he''s in'"],
    ],
    [
      'in a lane of AI',
      'then[2].a[0]',
      'alert',
      'severity',
      'high',
      ['-        - alert: { severity: low, title: A }', '+        - alert: { severity: high, title: A }'],
    ],
    [
      'that only looks like a number',
      'then[2].a[0]',
      'alert',
      'title',
      '5',
      ['-        - alert: { severity: low, title: A }', '+        - alert: { severity: low, title: "5" }'],
    ],
    ['new, beside lanes', 'then[2]', 'ai', 'sure', 0.5, ['+      sure: 0.5']],
    ['taken away', 'then[1]', 'ask_person', 'timeout', null, ['-      timeout: 60s']],
    [
      'taken away in braces',
      'then[2].a[0]',
      'alert',
      'severity',
      null,
      ['-        - alert: { severity: low, title: A }', '+        - alert: { title: A }'],
    ],
  ] as const)('%s is changed, and no other line', (_, node, kind, key, value, lines) => {
    expect(changes(set(node, kind, key, value))).toEqual(lines)
  })

  test.each<[string, string, string, string, Json, string[]]>([
    [
      'one more word',
      'then[1]',
      'ask_person',
      'replies',
      ['Let in', 'Call me', 'Refuse'],
      ['-      replies: [Let in, Refuse]', '+      replies: [Let in, Call me, Refuse]'],
    ],
    [
      'a list where one value was',
      'then[1]',
      'ask_person',
      'who',
      ['role:guard', 'person:Anna'],
      [
        '-      who: role:guard   # not the porter',
        '+      who: [role:guard, person:Anna]   # not the porter',
      ],
    ],
    [
      'a map that is new, before the paths',
      'then[2]',
      'ai',
      'fields',
      { cars: { measure: 'count', of: 'vehicle' } },
      ['+      fields: { cars: { measure: count, of: vehicle } }'],
    ],
    [
      'rules, a line for each',
      'then[2]',
      'ai',
      'rules',
      [{ when: { cars: { at_least: 1 } }, then: 'a' }, { then: 'b' }],
      ['+      rules:', '+        - { when: { cars: { at_least: 1 } }, then: a }', '+        - then: b'],
    ],
  ])('%s: no other line is touched', (_, node, kind, key, value, lines) => {
    expect(changes(set(node, kind, key, value))).toEqual(lines)
  })

  test('is not changed where it is not there', () => {
    expect(set('then[9]', 'notify', 'message', 'x')).toBeNull()
    expect(set('then[0]', 'alert', 'title', 'x')).toBeNull()
    expect(setParam('a: [', { node: 'then[0]', kind: 'log', at: [] }, 'x')).toBeNull()
  })

  test.each([
    'yes',
    'true',
    '5',
    '12:30',
    '# x',
    'a: b',
    '{plate}',
    '- x',
    ' x ',
    '\\',
    '"',
    "'",
    'a\nb',
    '*a',
    'é, ü',
    '',
  ])('of any text is read again as that text: %j', text => {
    for (const [node, kind, key] of [
      ['then[0]', 'notify', 'message'],
      ['then[1]', 'ask_person', 'message'],
      ['then[1]["Let in"][0]', 'log', null],
      ['then[0]', 'notify', 'camera'],
    ] as const) {
      const edited = set(node, kind, key, text)
      expect(edited).not.toBeNull()
      for (const comment of FILE.match(/#.*/g) ?? []) expect(edited).toContain(comment)
    }
  })
})

const TEMPLATES = join(import.meta.dirname, '../../../templates')
test.each(readdirSync(TEMPLATES).filter(name => name.endsWith('.yaml')))(
  'each text of %s can be changed',
  name => {
    const text = readFileSync(join(TEMPLATES, name), 'utf8')
    const { workflow } = parse(text)
    if (!workflow) throw new Error('a template holds')
    walk(workflow, ({ step: { kind, params }, path }) => {
      const keys =
        typeof params === 'string'
          ? [null]
          : Object.entries(params as object).flatMap(([key, value]) =>
              typeof value === 'string' ? [key] : [],
            )
      for (const key of keys) {
        const at = key === null ? [] : [key]
        const edited = setParam(text, { node: path, kind, at }, 'Something: "else"')
        expect([path, kind, key, typeof edited]).toEqual([path, kind, key, 'string'])
      }
    })
  },
)
