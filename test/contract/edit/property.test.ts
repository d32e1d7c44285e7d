/** Edits of the files that are accepted: each changes its place alone. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addGuard,
  addOutcome,
  addStep,
  type Json,
  keyPath,
  type Lane,
  moveStep,
  parse,
  print,
  removeGuard,
  removeOutcome,
  removeStep,
  renameOutcome,
  reread,
  setParam,
  sketch,
  type Workflow,
  walk,
} from '../../../src/contract/index.ts'
import { workflow as anyWorkflow } from '../arbitraries.ts'

const yamls = (folder: string) =>
  readdirSync(join(import.meta.dirname, folder))
    .filter(name => name.endsWith('.yaml'))
    .map(name => readFileSync(join(import.meta.dirname, folder, name), 'utf8'))
const FILES = [...yamls('../accepted'), ...yamls('../../../templates')]

/** As people write, and as files are printed. */
const file = fc.oneof(
  fc.constantFrom(...FILES),
  anyWorkflow.map(print).filter(text => reread(text) !== undefined),
)
/** With a line of a comment here and there, where no text goes over lines. */
const commented = fc
  .tuple(fc.constantFrom(...FILES), fc.array(fc.nat(60), { maxLength: 6 }))
  .map(([text, at]) => {
    const lines = text.split('\n')
    const put = [...new Set(at)].filter(n => n < lines.length - 1).sort((a, b) => b - a)
    for (const n of put) {
      const indent = /^ */.exec(lines[n] ?? '')?.[0] ?? ''
      lines.splice(n, 0, `${indent}# comment ${n}`)
    }
    return lines.join('\n')
  })
const anyFile = fc.oneof(file, commented)

interface Spot {
  lane: Lane
  /** Places before which a step may come: one more than there are steps. */
  room: number
}

function spots(workflow: Workflow): Spot[] {
  const found: Spot[] = [
    { lane: { parent: '', outcome: 'then' }, room: workflow.then.length + 1 },
    { lane: { parent: '', outcome: 'always' }, room: workflow.always.length + 1 },
  ]
  walk(workflow, ({ step, path }) => {
    for (const [outcome, steps] of Object.entries(step.paths))
      found.push({ lane: { parent: path, outcome }, room: steps.length + 1 })
  })
  return found
}

const drawn = (text: string) => sketch(text) as Workflow
const pick = <T>(all: readonly T[], n: number): T => all[n % all.length] as T
const pathsOf = (text: string) => {
  const paths: string[] = []
  walk(drawn(text), ({ path }) => paths.push(path))
  return paths
}
const comments = (text: string) =>
  text.split('\n').flatMap(line => /(?:^|\s)(# comment \d+)$/.exec(line)?.[1] ?? [])
const runs = { numRuns: 35 }

const STEPS: Json[] = [
  { log: 'x' },
  { notify: { who: 'role:guard', message: 'Somebody: "{camera}"' } },
  { if: [{ site_mode: ['armed_away'] }], then: [{ log: 'in' }] },
  {
    ai: {
      mode: 'look',
      prompt: 'What?',
      input: 'picture',
      decision: ['a', 'b'],
      a: [{ log: 'a' }],
      b: [],
      unsure: [],
    },
  },
  {
    ask_person: { who: 'role:guard', message: 'In?', replies: ['Yes', 'No'], timeout: '60s' },
    Yes: [{ log: 'y' }],
  },
]

describe('an edit of a file', () => {
  test('that adds a step adds that step, and all that was is there byte for byte', () => {
    const property = fc.property(
      anyFile,
      fc.nat(),
      fc.nat(),
      fc.constantFrom(...STEPS),
      (text, a, b, step) => {
        const { lane, room } = pick(spots(drawn(text)), a)
        const index = b % room
        const out = addStep(text, lane, index, step)
        if (out === null) throw new Error(`no step at ${keyPath(lane.parent, lane.outcome)}[${index}]`)
        expect(comments(out)).toEqual(comments(text))
        expect(reread(out)).toBeDefined()
        const was = text.split('\n')
        const now = out.split('\n')
        // One line at most is another one: that of the path.
        const gone = was.filter(line => !now.includes(line))
        expect(gone.length).toBeLessThanOrEqual(1)
        const path = `${keyPath(lane.parent, lane.outcome)}[${index}]`
        const [kind] = Object.keys(step as object)
        let found = ''
        walk(drawn(out), visited => {
          if (visited.path === path) found = visited.step.kind
        })
        expect(found).toBe(kind)
      },
    )
    fc.assert(property, runs)
  })

  test('that adds a step and one that takes it out give the same bytes', () => {
    let same = 0
    const property = fc.property(anyFile, fc.nat(), fc.nat(), (text, a, b) => {
      const { lane, room } = pick(spots(drawn(text)), a)
      const index = b % room
      const out = addStep(text, lane, index, { log: 'x' }) ?? ''
      const back = removeStep(out, `${keyPath(lane.parent, lane.outcome)}[${index}]`) ?? ''
      expect(sketch(back)).toEqual(sketch(text))
      expect(comments(back)).toEqual(comments(text))
      // A path that may be left out is left out when it is empty; a line too long for one more is unfolded.
      if (room > 1 && Math.max(...out.split('\n').map(line => line.length)) < 150) {
        const unfolded = out.split('\n').length > text.split('\n').length && !/\n *- /.test(text)
        if (!unfolded && !text.split('\n').some(line => !out.includes(line))) {
          expect(back).toBe(text)
          same++
        }
      }
    })
    fc.assert(property, runs)
    expect(same).toBeGreaterThan(4)
  })

  test('that takes a step out leaves every other one, and every other comment', () => {
    const property = fc.property(anyFile, fc.nat(), (text, a) => {
      const path = pick(pathsOf(text), a)
      const out = removeStep(text, path)
      expect(out).not.toBeNull()
      const [was, now] = [text.split('\n'), (out ?? '').split('\n')]
      // One line may come: an empty path, or a line with one item less.
      expect(now.filter(line => !was.includes(line)).length).toBeLessThanOrEqual(1)
      const inside = pathsOf(text).filter(
        one => one === path || one.startsWith(`${path}.`) || one.startsWith(`${path}[`),
      )
      expect(pathsOf(out ?? '').length).toBe(pathsOf(text).length - inside.length)
    })
    fc.assert(property, runs)
  })

  test('that moves a step keeps each step and each comment', () => {
    let moved = 0
    const property = fc.property(anyFile, fc.nat(), fc.nat(), fc.nat(), (text, a, b, c) => {
      const path = pick(pathsOf(text), a)
      const { lane, room } = pick(spots(drawn(text)), b)
      const out = moveStep(text, path, lane, c % room)
      if (out === null) return
      moved++
      expect([...comments(out)].sort()).toEqual([...comments(text)].sort())
      expect(pathsOf(out).length).toBe(pathsOf(text).length)
      const kinds = (of: string) => {
        const all: string[] = []
        walk(drawn(of), ({ step }) => all.push(step.kind))
        return all.sort()
      }
      expect(kinds(out)).toEqual(kinds(text))
    })
    fc.assert(property, runs)
    expect(moved).toBeGreaterThan(10)
  })

  test('of guards, decisions and parameters: what comes and goes leaves the file as it was', () => {
    const property = fc.property(anyFile, fc.nat(), fc.nat(), (text, a, b) => {
      const { if: guards } = drawn(text)
      const at = a % (guards.length + 1)
      const guarded = addGuard(text, at, { time: { from: '22:00', to: '06:00' } })
      expect(sketch(guarded ?? '')?.if.length).toBe(guards.length + 1)
      const back = removeGuard(guarded ?? '', at)
      if (guards.length > 0 || !text.includes('\nif:')) expect(back).toBe(text)
      const steps: { path: string; kind: string; words: string[] }[] = []
      walk(drawn(text), ({ step, path }) => {
        const { decision, replies } = step.params as { decision?: string[]; replies?: string[] }
        const words = decision ?? replies
        if (words) steps.push({ path, kind: step.kind, words })
      })
      if (steps.length === 0) return
      const { path, words } = pick(steps, b)
      const more = addOutcome(text, path, 'one-more')
      expect(more).not.toBeNull()
      expect(comments(more ?? '')).toEqual(comments(text))
      expect(removeOutcome(more ?? '', path, 'one-more')).toBe(text)
      const word = pick(words, a)
      const renamed = renameOutcome(text, path, word, 'quite-another')
      expect(comments(renamed ?? '')).toEqual(comments(text))
      expect(sketch(renameOutcome(renamed ?? '', path, 'quite-another', word) ?? '')).toEqual(sketch(text))
    })
    fc.assert(property, runs)
  })

  test('that gives any parameter any value is read as that value', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.integer(),
      fc.array(fc.string({ maxLength: 5 }), { maxLength: 3 }),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), fc.oneof(fc.string(), fc.integer()), { maxKeys: 3 }),
    )
    const property = fc.property(
      fc.constantFrom(...FILES),
      fc.nat(),
      fc.nat(),
      value,
      (text, a, b, given) => {
        const steps: { node: string; kind: string; keys: string[] }[] = []
        walk(drawn(text), ({ step: { kind, params }, path }) => {
          if (params !== null && typeof params === 'object' && !Array.isArray(params))
            steps.push({ node: path, kind, keys: Object.keys(params) })
        })
        const { node, kind, keys } = pick(steps, a)
        const key = pick(keys, b)
        const out = setParam(text, { node, kind, at: [key] }, given)
        if (out === null)
          return expect(parse(JSON.stringify({ a: given })).problems.length).toBeGreaterThan(0)
        const there = text.split('\n').filter(line => /(^|\s)#/.test(line))
        const kept = out.split('\n').filter(line => /(^|\s)#/.test(line))
        expect(kept.length).toBeGreaterThanOrEqual(there.length - 2)
      },
    )
    fc.assert(property, runs)
  })
})
