import { describe, expect, test } from 'vitest'
import type { NodePath } from '../../src/contract/index.ts'
import { parse, type Workflow } from '../../src/contract/index.ts'
import { type Cursor, type Finished, first, next, unexpected } from '../../src/engine/plan.ts'
import { compile, type Program } from '../../src/engine/program.ts'

/** Where a run stands after the steps that are finished; throws when a path is not the one that had to come. */
function replay(of: Program, steps: Iterable<{ path: NodePath; finished: Finished }>): Cursor {
  let cursor = first(of)
  for (const { path, finished } of steps) {
    if (cursor.node?.path !== path) throw unexpected(path, cursor)
    cursor = next(of, cursor, finished)
  }
  return cursor
}

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
  return steps(it, told).map(({ path }) => path)
}

/** The same, with what each step came to. */
function steps(it: Program, told: Record<string, Finished>): { path: string; finished: Finished }[] {
  const taken: { path: string; finished: Finished }[] = []
  for (let cursor = first(it); cursor.node; ) {
    const { path } = cursor.node
    const finished = told[path] ?? done
    taken.push({ path, finished })
    if (taken.length > 200) throw new Error('it runs in circles')
    cursor = next(it, cursor, finished)
  }
  return taken
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
      expect(replay(it, finished).node?.path ?? null).toBe(paths[n] ?? null)
    }
  })

  test('a step that the version does not have is no restart', () => {
    expect(() => replay(program(), [{ path: 'then[9]', finished: done }])).toThrow('then[9]')
  })

  test('nor is a step before its turn', () => {
    expect(() => replay(program(), [{ path: 'then[1]', finished: done }])).toThrow('then[0]')
  })
})

describe('loops', () => {
  const looping = `
contract: workflow.v1
name: Loops
when: { button: {} }
then:
  - for_each:
      list: a
      as: one
      do:
        - log: x
        - for_each: { list: b, as: two, do: [ log: y ] }
  - log: z
always:
  - for_each: { list: c, do: [ log: w ] }
`
  const it = () => compile(parse(looping).workflow as Workflow)
  const rounds = (n: number): Finished => ({ outcome: null, ends: false, rounds: n })
  const inner = 'then[0].do[1]'

  test('run their steps round by round, loops inside included, then what follows them', () => {
    expect(way(it(), { 'then[0]': rounds(2), [inner]: rounds(3), 'always[0]': rounds(1) })).toEqual([
      'then[0]',
      ...Array(2)
        .fill(['then[0].do[0]', inner, ...Array(3).fill(`${inner}.do[0]`)])
        .flat(),
      'then[1]',
      'always[0]',
      'always[0].do[0]',
    ])
  })

  test('over nothing are passed by', () => {
    expect(way(it(), { 'then[0]': rounds(0) })).toEqual(['then[0]', 'then[1]', 'always[0]'])
  })

  test('end with a path that ends, from any depth', () => {
    const told = { 'then[0]': rounds(9), [inner]: rounds(9), [`${inner}.do[0]`]: ends }
    expect(way(it(), told)).toEqual(['then[0]', 'then[0].do[0]', inner, `${inner}.do[0]`, 'always[0]'])
  })

  test('a restart finds round and step from the finished rows, at whichever it happens', () => {
    const program = it()
    const taken = steps(program, { 'then[0]': rounds(3), [inner]: rounds(2), 'always[0]': rounds(2) })
    expect(taken).toHaveLength(1 + 3 * (2 + 2) + 1 + 3)
    let cursor = first(program)
    for (const [n, { finished }] of taken.entries()) {
      expect(replay(program, taken.slice(0, n))).toEqual(cursor)
      cursor = next(program, cursor, finished)
    }
    expect(cursor).toEqual({ node: null, frames: [] })
  })
})
