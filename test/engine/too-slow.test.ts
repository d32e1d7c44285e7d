/** A file is told where a step cannot end in its time on this box. */
import { describe, expect, test } from 'vitest'
import type { LanguageModel } from '../../src/ai/index.ts'
import { type BoxSpeed, check } from '../../src/engine/index.ts'
import { investigateSpec } from '../../src/engine/steps/investigate-spec.ts'

const speed: BoxSpeed = {
  at: Date.UTC(2026, 10, 30),
  seconds: 120,
  detectSeconds: 2,
  readSeconds: 5,
  turnSeconds: 50,
}

const file = (step: string) => `
contract: workflow.v1
name: Yard
state: test
when: { event: { schema: plate.recognized.v1 } }
then:
  - ai:
${step.replace(/^/gm, '      ')}
      decision: [yes, no]
      yes: []
      no: []
      unsure: []
`
const look = (input: string, rest: string) => file(`mode: look\nprompt: Who?\ninput: ${input}\n${rest}`)
const investigate = (rest = '') => file(`mode: investigate\ngoal: Find out.\ntools: [recent_events]\n${rest}`)

const slow = (yaml: string, given: BoxSpeed | null = speed) => {
  const { problems } = check(yaml, { speed: given })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return problems.filter(({ code }) => code === 'too_slow_here')
}

const measured =
  'fields: { people: { measure: count, of: person }, sign: { measure: text } }\nrules: [{ then: no }]'

describe('a step that cannot end in its time', () => {
  test('an investigation that has no time for two turns', () => {
    expect(slow(investigate())).toEqual([])
    expect(slow(investigate('limits: { seconds: 99 }'))).toMatchObject([
      {
        severity: 'warning',
        path: 'then[0].ai.limits.seconds',
        line: 11,
        message:
          'It takes 100 s or more on this box (measured 2026-11-30) and may take 99 s: it would end as unsure; give it more under limits.seconds, or choose a smaller model.',
      },
    ])
    expect(slow(investigate(), { ...speed, turnSeconds: 61 })).toMatchObject([
      {
        path: 'then[0]',
        line: 7,
        message: expect.stringMatching(/would end as unsure; choose a smaller model\.$/),
      },
    ])
    // It never gets more than the box gives.
    expect(slow(investigate('limits: { seconds: 600 }'), { ...speed, turnSeconds: 61 })).toHaveLength(1)
  })

  test('a Look at many frames, by what is measured in them', () => {
    const frames = (count: number) => `{ frames: { count: ${count}, over: 10s } }`
    expect(slow(look(frames(4), `${measured}\nlimits: { seconds: 28 }`))).toEqual([])
    expect(slow(look(frames(4), `${measured}\nlimits: { seconds: 27 }`))).toMatchObject([
      { message: expect.stringMatching(/^It takes 28 s .* look at fewer frames\.$/) },
    ])
  })

  test('a Look that the language model answers', () => {
    expect(slow(look('event', 'limits: { seconds: 49 }'))).toHaveLength(1)
    expect(slow(look('event', 'limits: { seconds: 50 }'))).toEqual([])
    expect(slow(look('picture', `${measured}\nlimits: { seconds: 49 }`))).toEqual([])
    expect(
      slow(look('picture', 'fields: { dog: yes_no }\nrules: [{ then: no }]\nlimits: { seconds: 49 }')),
    ).toHaveLength(1)
  })

  test('nothing is said where nothing was measured', () => {
    const unknown = { ...speed, detectSeconds: null, readSeconds: null, turnSeconds: null }
    expect(slow(investigate('limits: { seconds: 1 }'), unknown)).toEqual([])
    expect(slow(investigate('limits: { seconds: 1 }'), null)).toEqual([])
  })
})

test.each([
  [null, undefined, 4],
  [1, undefined, 4],
  [30, undefined, 3],
  [30, 60, 1],
  [30, 600, 3],
  [500, undefined, 1],
])('with a turn of %s s and %s s of time, an investigation has %i tool calls', (turn, seconds, calls) => {
  const model: LanguageModel = {
    name: 'a',
    sees: false,
    likelihoods: false,
    backend: 'cpu',
    chat: () => Promise.reject(new Error('not asked')),
  }
  const params = { goal: 'Find out.', tools: [], decision: ['a'], ...(seconds && { limits: { seconds } }) }
  expect(investigateSpec(params, model, turn, 60).limits.toolCalls).toBe(calls)
})
