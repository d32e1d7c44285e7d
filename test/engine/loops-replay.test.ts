import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parse } from '../../src/contract/index.ts'
import type { EngineDeps } from '../../src/engine/index.ts'
import { Limits } from '../../src/engine/limits.ts'
import { compile } from '../../src/engine/program.ts'
import { restore } from '../../src/engine/resume.ts'
import type { Loaded } from '../../src/engine/workflows.ts'
import { Box, decision } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box({ site: SITE }).start()
})
afterEach(() => box.stop())

const LISTS: Record<string, string[]> = { none: [], one: ['a'], two: ['b', 'c'], three: ['a', 'b', 'd'] }
const SITE = `
cameras: { gate: { roles: [gate] }, yard-1: { roles: [yard] }, yard-2: { roles: [yard] } }
lists: ${JSON.stringify(LISTS)}
`

/** A random list of steps as YAML flow, with the names of the loops around it. */
const steps = (items: readonly string[], depth: number): fc.Arbitrary<string> => {
  const log = fc.constant(`{ log: "at ${items.map(name => `{${name}}`).join(' ')}" }`)
  const kinds: fc.Arbitrary<string>[] = [log]
  if (depth > 0) {
    const inner = steps(items, depth - 1)
    const name = `i${items.length}`
    const body = steps([...items, name], depth - 1)
    kinds.push(
      fc
        .tuple(fc.constantFrom(...Object.keys(LISTS)), body)
        .map(
          ([list, within]) =>
            `{ for_each: { list: ${list}, as: ${name}, collect: c${depth}, do: ${within} } }`,
        ),
      fc
        .tuple(fc.constantFrom(['gate'], ['yard', 'gate']), body)
        .map(([roles, within]) => `{ for_each: { cameras: [${roles}], as: ${name}, do: ${within} } }`),
      fc
        .tuple(inner, inner)
        .map(
          ([a, b]) =>
            `{ ai: { mode: look, prompt: x, input: event, decision: [yes, no], yes: ${a}, no: ${b}, unsure: [] } }`,
        ),
    )
    const last = items.at(-1)
    if (last) {
      kinds.push(
        fc
          .tuple(inner, inner)
          .map(([a, b]) => `{ if: [ value: { of: ${last}, in: [a, c, yard-2] } ], then: ${a}, else: ${b} }`),
      )
    }
  }
  return fc.array(fc.oneof(...kinds), { minLength: 1, maxLength: 3 }).map(list => `[ ${list.join(', ')} ]`)
}

test('a run of any loops is found again from its rows, whichever was the last', async () => {
  let n = 0
  box.look = async () => decision({ decision: n++ % 3 ? 'yes' : 'no', reason: `look ${n}`, confidence: 0.9 })
  await fc.assert(
    fc.asyncProperty(steps([], 3), steps([], 1), async (then, always) => {
      const yaml = `{ contract: workflow.v1, name: R, limits: { cooldown: 0s, per_hour: 10000, ai_per_hour: 10000 }, when: { webhook: {} }, then: ${then}, always: ${always} }`
      const { workflow } = parse(yaml)
      fc.pre(workflow !== undefined)
      if (!workflow) return
      const saved = await box.engine.save(yaml)
      if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
      await box.engine.setState(saved.workflow.id, 'on')
      const run = await box.run(box.hook(saved.workflow.id))
      expect(run.status).toBe('done')
      const rows = box.store.steps.ofRun(run.id)
      const stored = box.store.runs.get(run.id)
      if (!stored) throw new Error('no run')
      const row = box.store.workflows.get(saved.workflow.id)
      const loaded = { row, number: 1, limits: new Limits({}), program: null } as unknown as Loaded
      for (let last = 0; last <= rows.length; last++) {
        const seen = rows
          .slice(0, last)
          .map(each => (each.kind === 'for_each' ? { ...each, endedAt: null } : each))
        const { store } = box
        const deps = {
          store: Object.assign(Object.create(store), {
            steps: { ofRun: () => seen },
            due: { ofRun: () => [] },
            media: { ofRun: () => [], clipsOf: () => [] },
            intents: { ofRun: () => [] },
          }),
        } as EngineDeps
        const found = restore(stored, loaded, compile(workflow), deps, stored.startedAt)
        if (found.way.go !== 'on') throw new Error(`it goes ${found.way.go} behind ${last} rows`)
        const next = rows[last]
        expect(found.way.from?.path ?? null).toBe(next?.path ?? null)
        if (!next) continue
        expect(found.run.loops.item).toBe(next.item)
        if (next.kind === 'log') expect(found.way.from?.render(found.run.values)).toBe(next.inputs)
      }
    }),
    { numRuns: 25 },
  )
}, 60_000)
