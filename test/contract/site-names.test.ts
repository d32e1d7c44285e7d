import { describe, expect, test } from 'vitest'
import { applyFix, parse } from '../../src/contract/index.ts'
import { siteOf } from './proof/corpus.ts'

const file = (then: string, head = '', when = 'event: { schema: plate.recognized.v1, cameras: [gate] }') =>
  `contract: workflow.v1\nname: Names\n${head}when: { ${when} }\nthen:\n${then}`
const site = siteOf({ tools: ['camera_health', 'site_lookup'], destinations: { lamp: 'tell', door: 'move' } })

const CASES: [code: string, at: string, then: string][] = [
  ['unknown_camera', '5:47', '  - alert: { severity: low, title: x, camera: gaet }\n'],
  ['unknown_role', '5:20', '  - notify: { who: role:gaurd, message: x }\n'],
  ['unknown_person', '5:22', '  - notify: { who: [ "person:Anna"], message: x }\n'],
  ['unknown_list', '5:23', '  - for_each: { list: residnets, do: [ log: x ] }\n'],
  ['unknown_destination', '5:20', '  - webhook: { to: lmap }\n'],
]

describe('with a site', () => {
  test.each(CASES)('%s is an error', (code, at, then) => {
    const errors = parse(file(then), { site }).problems.filter(({ severity }) => severity === 'error')
    const found = errors.find(problem => problem.code === code)
    expect(`${found?.line}:${found?.column}`).toBe(at)
    const name = /gaet|gaurd|Anna|residnets|lmap/.exec(then)?.[0] ?? '?'
    expect(found?.message).toContain(name)
  })

  test('an action that an app does not have is an error', () => {
    const then =
      '  - ask_person: { who: role:guard, message: x, replies: [A, B], timeout: 1m }\n    A: [ app: { id: gate-controller, action: opne } ]\n'
    const { problems } = parse(file(then), { site })
    expect(problems.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual([
      'unknown_action 6:46',
    ])
  })

  test('a name that is nearly right has a repair', () => {
    const text = file('  - notify: { who: [role:guard, role:onwer], message: x }\n')
    const [problem] = parse(text, { site }).problems
    expect(problem?.code).toBe('unknown_role')
    expect(problem?.fix && parse(applyFix(text, problem.fix), { site }).problems).toEqual([])
  })

  test('what the site has is no problem', () => {
    const then =
      '  - notify: { who: [role:guard, "person:Ann Lee"], message: x }\n  - webhook: { to: lamp }\n'
    expect(parse(file(then), { site }).problems).toEqual([])
  })

  test('tools are those of the site', () => {
    const ai = (tool: string) =>
      file(
        `  - ai:\n      mode: investigate\n      goal: x\n      tools: [${tool}]\n      decision: [a]\n      rules: [ { then: a } ]\n      a: []\n      unsure: []\n`,
      )
    expect(parse(ai('camera_health'), { site }).problems).toEqual([])
    const { problems } = parse(ai('recent_plates'), { site })
    expect(
      problems.map(({ code, severity, line, column }) => `${severity} ${code} ${line}:${column}`),
    ).toEqual(['error unknown_tool 8:15'])
    expect(parse(ai('open_gate')).problems.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'warning unknown_tool',
    ])
  })

  test('the class that a file declares must be the one that the site lists', () => {
    const text = file('  - webhook: { to: lamp }\n', 'needs: { destinations: { lamp: move } }\n')
    const { problems } = parse(text, { site })
    expect(problems.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual([
      'destination_class 3:32',
    ])
  })
})

describe('without a site', () => {
  const warned = (text: string) => parse(text).problems.filter(({ severity }) => severity === 'warning')

  test.each(CASES.slice(1, 4))('%s is a warning', (code, at, then) => {
    const found = warned(file(then))
    expect(found.map(problem => `${problem.code} ${problem.line}:${problem.column}`)).toEqual([
      `${code} ${at}`,
    ])
    expect(parse(file(then)).workflow).toBeDefined()
  })

  test('what needs declares is known', () => {
    const needs = 'needs: { cameras: [gate], roles: [guard], lists: [staff], destinations: { lamp: tell } }\n'
    const then =
      '  - notify: { who: role:guard, message: x }\n  - webhook: { to: lamp }\n  - for_each: { list: staff, do: [ log: x ] }\n'
    expect(parse(file(then, needs)).problems).toEqual([])
  })

  test('a camera role is known until the file declares others', () => {
    expect(parse(file('  - log: x\n')).problems).toEqual([])
    expect(warned(file('  - log: x\n', 'needs: { cameras: [yard] }\n')).map(({ code }) => code)).toEqual([
      'unknown_camera',
    ])
  })
})

describe('zones', () => {
  const zones = new Map([
    ['gate', new Set(['lawn', 'drive'])],
    ['yard', new Set<string>()],
  ])
  const problems = (params: string, view: object = { zones }) =>
    parse(file('  - log: x\n', '', `detect.person_in_zone: { min_seconds: 5, ${params} }`), {
      site: { ...siteOf({ roles: ['gate', 'yard'] }), ...view },
    }).problems.filter(({ code }) => code === 'unknown_zone')

  test('one that is drawn on none of the cameras is an error at its place', () => {
    const [problem, ...more] = problems('cameras: [gate], zone: lown')
    expect(more).toEqual([])
    expect(problem).toMatchObject({ severity: 'error', path: 'when.detect.person_in_zone.zone', line: 3 })
    expect(problem?.message).toContain('Did you mean lawn?')
    expect(problems('cameras: [yard], zone: lawn')).toHaveLength(1)
  })

  test('one that some of them have is known, and none need be named', () => {
    expect(problems('cameras: [yard, gate], zone: lawn')).toEqual([])
    expect(problems('cameras: [yard]')).toEqual([])
    expect(problems('cameras: [yard], zone: lawn', {})).toEqual([])
  })
})
