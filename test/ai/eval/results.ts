import type { CaseResult, RunFacts } from '../../../src/ai/eval/index.ts'

/** A case that came out right. */
export const result = (patch: Partial<CaseResult> = {}): CaseResult => ({
  id: 'one',
  suite: 'investigate',
  split: 'seen',
  place: 'farm',
  trap: null,
  right: true,
  expected: 'known',
  got: 'known',
  wrong: [],
  unsure: null,
  tools: { needed: [], missing: [], called: [] },
  limits: [],
  confidence: null,
  source: null,
  selfReported: null,
  modelCalls: 1,
  seconds: 0,
  tokensIn: 0,
  tokensOut: 0,
  ...patch,
})

export const facts = (patch: Partial<RunFacts> = {}): RunFacts => ({
  at: '2026-11-30T12:00:00.000Z',
  version: '0.1.0',
  mode: 'live',
  model: { name: 'some-4b', hash: 'ab'.repeat(32), backend: 'cpu', sees: false },
  vision: null,
  eyes: null,
  box: { class: 'cpu-x64-4core-8gb', about: 'a box' },
  cases: { own: true, fingerprint: 'abc', suites: ['investigate'], splits: ['seen', 'held_out'] },
  ...patch,
})
