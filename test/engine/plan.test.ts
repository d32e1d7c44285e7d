import { describe, expect, test } from 'vitest'
import { parse } from '../../src/contract/index.ts'
import { type Finished, first, next, replay } from '../../src/engine/plan.ts'
import { compile, type Node, type Program } from '../../src/engine/program.ts'

const yaml = `
contract: workflow.v1
name: Paths
when: { button: {} }
then:
  - log: a
  - if: [ site_mode: [armed_away] ]
    then:
      - log: b
      - if: [ site_mode: [armed_home] ]
        then: []
        else: [ log: c ]
    else: []
  - log: d
always:
  - log: e
  - log: f
`

function program(): Program {
  const { workflow, problems } = parse(yaml)
  if (!workflow) throw new Error(JSON.stringify(problems))
  return compile(workflow)
}

const done: Finished = { outcome: null, ends: false }
const ends: Finished = { outcome: null, ends: true }
const took = (outcome: string): Finished => ({ outcome, ends: false })

/** The paths that run when the steps end as told (`done` where nothing is told). */
function way(it: Program, told: Record<string, Finished>): string[] {
  const paths: string[] = []
  for (let node: Node | null = first(it); node; node = next(it, node, told[node.path] ?? done)) {
    paths.push(node.path)
    if (paths.length > 50) throw new Error('it runs in circles')
  }
  return paths
}

describe('what runs next', () => {
  test('the steps behind a branch run after whichever path ran', () => {
    const it = program()
    expect(way(it, { 'then[1]': took('then'), 'then[1].then[1]': took('else') })).toEqual([
      'then[0]',
      'then[1]',
      'then[1].then[0]',
      'then[1].then[1]',
      'then[1].then[1].else[0]',
      'then[2]',
      'always[0]',
      'always[1]',
    ])
    expect(way(it, { 'then[1]': took('else') })).toEqual([
      'then[0]',
      'then[1]',
      'then[2]',
      'always[0]',
      'always[1]',
    ])
  })

  test('an empty path and a path that is not there go on behind the branch', () => {
    const it = program()
    const rest = ['then[2]', 'always[0]', 'always[1]']
    for (const outcome of ['then', 'something else']) {
      const told = { 'then[1]': took('then'), 'then[1].then[1]': took(outcome) }
      expect(way(it, told).slice(4)).toEqual(rest)
    }
  })

  test('what ends a path ends all of `then`, from any depth, and `always` runs once', () => {
    const it = program()
    expect(way(it, { 'then[0]': ends })).toEqual(['then[0]', 'always[0]', 'always[1]'])
    expect(way(it, { 'then[1]': took('then'), 'then[1].then[0]': ends })).toEqual([
      'then[0]',
      'then[1]',
      'then[1].then[0]',
      'always[0]',
      'always[1]',
    ])
    expect(way(it, { 'always[0]': ends }).slice(-1)).toEqual(['always[0]'])
  })

  test('a restart finds from the finished steps the one that a run without a restart takes next', () => {
    const it = program()
    const told: Record<string, Finished> = { 'then[1]': took('then'), 'then[1].then[1]': took('else') }
    const paths = way(it, told)
    for (let n = 0; n <= paths.length; n++) {
      const finished = paths.slice(0, n).map(path => ({ path, finished: told[path] ?? done }))
      expect(replay(it, finished)?.path ?? null).toBe(paths[n] ?? null)
    }
  })

  test('a step that the version does not have is no restart', () => {
    expect(() => replay(program(), [{ path: 'then[9]', finished: done }])).toThrow('then[9]')
  })
})
