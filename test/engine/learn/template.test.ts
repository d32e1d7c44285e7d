import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { reread } from '../../../src/contract/index.ts'
import { CasesFlipped } from '../../../src/engine/learn/flipped.ts'
import type { Shadows } from '../../../src/engine/learn/shadow.ts'
import { type TemplateCase, tryTemplate } from '../../../src/engine/learn/template.ts'
import type { SitePort } from '../../../src/kinds/index.ts'

const yaml = readFileSync('templates/yard-watch.yaml', 'utf8')

it('says of each case for which there was no time that it was not run', async () => {
  const workflow = reread(yaml)
  if (!workflow) throw new Error('not understood')
  const one = (name: string) =>
    ({ name, at: 0, event: {}, cameras: new Map(), expected: 'person' }) as unknown as TemplateCase
  const set = {
    name: 'watch.yaml',
    workflow,
    siteFor: () => ({}) as SitePort,
    casesFor: async () => ['first', 'second', 'third', 'fourth'].map(one),
  }
  // The second is not done in time, and then the time is over.
  const played: number[] = []
  const steps = [{ kind: 'ai', inputs: { decision: ['person', 'clear'] }, outcome: 'clear', reason: 'none' }]
  const shadows = {
    play: async (_yaml: string, _event: object, left: number) => (played.push(left) > 1 ? null : { steps }),
  } as unknown as Shadows
  const times = [90, 30, 0, -5]
  const outcome = await tryTemplate(set, { yaml, workflow }, shadows, () => times.shift() ?? 0)
  expect(played).toEqual([90, 30])
  expect(outcome.tried.map(each => [each.flipped, each.kept_out?.code ?? null])).toEqual([
    [true, null],
    ...Array.from({ length: 3 }, () => [null, 'not_run']),
  ])
  const refused = new CasesFlipped({ tried: [], worse: 0, better: 0, template: outcome })
  expect(refused.message).toContain(
    '1 of 1 cases of the template watch.yaml comes out differently: first (clear, not person). Not run, for want of time: 3.',
  )
})
