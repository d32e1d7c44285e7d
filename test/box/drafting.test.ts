/** Drafting at a box: who may be asked, for how long, and what is said where nothing is drafted. */
import { expect, it } from 'vitest'
import { EXAMPLES } from '../../src/ai/draft/examples.ts'
import type { ChatAnswer } from '../../src/ai/index.ts'
import { Drafter, type DrafterOptions, registryHere } from '../../src/box/drafting.ts'
import { ManualClock } from '../../src/core/index.ts'
import { check } from '../../src/engine/index.ts'
import { missing } from '../../src/kinds/index.ts'
import { Site } from '../../src/site/index.ts'
import { site } from '../ai/draft/world.ts'
import { Scripted } from '../ai/scripted.ts'

const good = JSON.stringify(EXAMPLES[1].draft)
const drafter = (over: Partial<DrafterOptions> = {}) =>
  new Drafter({
    site: () => site,
    language: () => new Scripted([good]),
    barred: () => null,
    investigates: () => false,
    check: yaml => check(yaml, { site }),
    clock: new ManualClock(0),
    ...over,
  })

it('drafts', async () => {
  expect(await drafter().draft(' Tell the guard when somebody is in the yard. ')).toMatchObject({
    problems: [],
    rounds: 0,
    model: 'scripted',
  })
})

it.each([
  ['bad_sentence', 422, '   ', {}],
  ['bad_sentence', 422, 'x'.repeat(2_001), {}],
  ['llm_down', 503, 'Tell me.', { language: (): null => null }],
  ['llm_down', 503, 'Tell me.', { language: () => new Scripted(['down']) }],
  ['not_passed', 503, 'Tell me.', { barred: () => 'run "gatehouse eval" first' }],
  ['over_budget', 504, 'Tell me.', { language: () => new Scripted(['timeout']) }],
  ['invalid_output', 502, 'Tell me.', { language: () => new Scripted(['no']) }],
] as const)('%s (%i), in one line', async (code, status, sentence, over) => {
  const error = await drafter(over)
    .draft(sentence)
    .then(
      () => null,
      thrown => thrown,
    )
  expect(error).toMatchObject({ code, status })
  expect(error.message).toMatch(/^[^\n]+\.$/)
})

it('tells the model of somebody who is bound to cameras no name of the site that their sentence does not name', async () => {
  const here = Site.load(
    'facts: The key hangs in the shed.\ncameras: { yard: { roles: [yard] }, vault: { roles: [vault] } }\npeople: { zoe: { roles: [warden] } }\nlists: { debtors: [] }\n',
    'site.yaml',
  )
  const told = async (scope: string[] | null, sentence: string) => {
    const model = new Scripted([good])
    const draft = drafter({ site: () => here, language: () => model }).draft(sentence, undefined, scope)
    await draft.catch(() => undefined)
    return JSON.stringify(model.asked[0])
  }
  const names = ['key hangs in the shed', 'vault', 'warden', 'debtors']
  const all = await told(null, 'Tell me.')
  expect(names.filter(name => !all.includes(name))).toEqual([])
  const bound = await told(['yard'], 'Tell the warden.')
  expect(names.filter(name => bound.includes(name))).toEqual(['warden'])
  expect(bound).toContain('yard')
})

it('writes one at a time, and the next one after that', async () => {
  const { promise, resolve } = Promise.withResolvers<ChatAnswer>()
  const slow = new Scripted([() => promise, good])
  const one = drafter({ language: () => slow })
  const first = one.draft('Tell me.')
  await expect(one.draft('And me.')).rejects.toMatchObject({ code: 'draft_busy', status: 409 })
  resolve({ text: good, tokensIn: 1, tokensOut: 1, ms: 1 })
  await first
  expect(await one.draft('And me.')).toMatchObject({ problems: [] })
})

it('speaks of nothing that this version cannot run', async () => {
  const model = new Scripted([good])
  await drafter({ language: () => model }).draft('Tell me.')
  for (const kind of [
    ...Object.keys(missing.triggers),
    ...Object.keys(missing.steps),
    ...Object.keys(missing.actions),
  ]) {
    expect([kind, model.asked[0]?.grammar?.includes(`{\\"${kind}\\"`)]).toEqual([kind, false])
  }
  expect(model.asked[0]?.grammar).not.toContain('investigate')
  expect(registryHere(true).tools.length).toBeGreaterThan(5)
})
