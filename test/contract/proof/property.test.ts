import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Report } from '../../../src/contract/context.ts'
import type { Step, Workflow } from '../../../src/contract/index.ts'
import { guardFacts, prove } from '../../../src/contract/proof/index.ts'
import { checkValues } from '../../../src/contract/values/index.ts'
import { workflow } from './arbitrary.ts'
import { mostGivers, TooMany, unguardedMoves } from './naive.ts'

function refused(file: Workflow): Set<string> {
  const found: Report[] = []
  prove(file, { report: problem => found.push(problem) })
  return new Set(found.map(problem => problem.path))
}

test('the proof and a list of all runs agree on which moves nothing guards', () => {
  let compared = 0
  let clean = 0
  fc.assert(
    fc.property(workflow, file => {
      const expected = unlessTooMany(() => unguardedMoves(file))
      if (!expected) return
      compared++
      if (expected.size === 0 && JSON.stringify(file).includes('"app"')) clean++
      expect([...refused(file)].sort()).toEqual([...expected].sort())
    }),
    { numRuns: 5000 },
  )
  // Most were small enough to compare, and not all of them were refused.
  expect(compared).toBeGreaterThan(1500)
  expect(clean).toBeGreaterThan(50)
})

test('a move has a fact exactly where the proof lets it be', () => {
  fc.assert(
    fc.property(workflow, file => {
      const bad = refused(file)
      const paths = [...movesIn(file)]
      for (const path of paths) expect(guardFacts(file, path) === null).toBe(bad.has(path))
    }),
    { numRuns: 200 },
  )
})

test('values: as many givers as some run passes', () => {
  const seen = { unknown: 0, known: 0, ambiguous: 0 }
  fc.assert(
    fc.property(workflow.map(talkative), file => {
      const givers = unlessTooMany(() => mostGivers(file))
      if (!givers) return
      const found = new Map<string, string>()
      checkValues(file, { report: ({ path, code }) => found.set(path, code) })
      for (const [path, most] of givers) {
        const code = found.get(`${path}.log`)
        expect(code).toBe(most === 0 ? 'unknown_value' : most > 1 ? 'ambiguous_value' : undefined)
        seen[most === 0 ? 'unknown' : most > 1 ? 'ambiguous' : 'known']++
      }
    }),
    { numRuns: 3000 },
  )
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(50)
})

/** The same workflow with an AI step in the place of each move, a line for the log where it would wait, and loops of three rounds. */
function talkative(file: Workflow): Workflow {
  const change = (list: readonly Step[]): Step[] =>
    list.map(step => {
      if (step.kind === 'app') return look
      if (step.kind === 'wait') return { kind: 'log', params: '{reason}', paths: {} }
      const more = step.kind === 'for_each' ? { params: { ...(step.params as object), max: 3 } } : {}
      const paths = Object.entries(step.paths).map(([name, inner]) => [name, change(inner)])
      return { ...step, ...more, paths: Object.fromEntries(paths) }
    })
  return { ...file, then: change(file.then), always: change(file.always) }
}

const look: Step = {
  kind: 'ai',
  params: { mode: 'look', prompt: 'What?', input: 'picture', decision: ['seen'] },
  paths: { seen: [], unsure: [] },
}

function unlessTooMany<T>(compute: () => T): T | null {
  try {
    return compute()
  } catch (error) {
    if (error instanceof TooMany) return null
    throw error
  }
}

function movesIn(file: Workflow): Set<string> {
  const found = new Set<string>()
  const visit = (list: readonly Step[], at: string) => {
    list.forEach((step, i) => {
      if (step.kind === 'app') found.add(`${at}[${i}]`)
      for (const [name, inner] of Object.entries(step.paths)) visit(inner, `${at}[${i}].${name}`)
    })
  }
  visit(file.then, 'then')
  visit(file.always, 'always')
  return found
}
