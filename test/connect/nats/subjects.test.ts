import fc from 'fast-check'
import { expect, test } from 'vitest'
import { covers, subjectsOf, tokenOf } from '../../../src/connect/nats/subjects.ts'
import type { ListensFor } from '../../../src/engine/index.ts'

const listens = (
  kind: ListensFor['kind'],
  params: ListensFor['params'],
  looks_back: string[] = [],
): ListensFor => ({
  workflow: { id: 1, slug: 'one', name: 'One' },
  kind,
  params,
  looks_back,
})

test.each([
  ['Front Door', 'Front_Door'],
  ['_gate_', 'gate'],
  ['a.b*c>d', 'a_b_c_d'],
  ['Tür', 'T_r'],
  ['..', 'unknown'],
  ['', 'unknown'],
])('%s is the token %s', (name, token) => {
  expect(tokenOf(name)).toBe(token)
})

test('workflows need the subjects of their triggers, and of what their steps go over', () => {
  const fired = 'opennvr.events.alert.fired.v1.*'
  const plates = 'opennvr.events.plate.recognized.v1.*'
  expect(subjectsOf([])).toEqual([])
  expect(subjectsOf([listens('schedule', { every: '1h' }), listens('webhook', {})])).toEqual([])
  expect(subjectsOf([listens('event', { schema: 'plate.recognized.v1', cameras: ['gate'] })])).toEqual([
    plates,
  ])
  expect(subjectsOf([listens('schedule', {}, ['plate.recognized.v1'])])).toEqual([plates])
  expect(subjectsOf([listens('event', { schema: 'alert.fired.v1' })])).toEqual(['opennvr.alerts.>', fired])
  expect(subjectsOf([listens('alert', { source: ['smoke', 'workflow.gate', 'app.fence'] })])).toEqual([
    'opennvr.alerts.*.app_fence.*',
    'opennvr.alerts.*.smoke.*',
    'opennvr.alerts.app.fence.*',
    'opennvr.alerts.workflow.gate.*',
    fired,
  ])
  expect(subjectsOf([listens('alert', { source: 'smoke' }), listens('alert', {})])).toEqual([
    'opennvr.alerts.>',
    fired,
  ])
  expect(subjectsOf([listens('schedule', {}, ['*']), listens('alert', {}, ['plate.recognized.v1'])])).toEqual(
    ['opennvr.alerts.>', 'opennvr.events.>'],
  )
})

test('a subject covers another exactly if every subject of that one is one of its own', () => {
  const token = fc.constantFrom('a', 'b', '*')
  const pattern = fc
    .tuple(fc.array(token, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([tokens, open]) => [...tokens, ...(open ? ['>'] : [])].join('.'))
  /** All subjects over three letters that a pattern takes, up to five tokens: more than any pattern here has. */
  const letters = ['a', 'b', 'c']
  const all = [1, 2, 3, 4, 5].flatMap(length =>
    Array.from({ length: 3 ** length }, (_, n) =>
      Array.from({ length }, (_, i) => letters[Math.floor(n / 3 ** i) % 3] ?? 'a'),
    ),
  )
  const takes = (wanted: string, subject: string[]) => {
    const parts = wanted.split('.')
    const open = parts.at(-1) === '>'
    const fixed = open ? parts.slice(0, -1) : parts
    if (open ? subject.length <= fixed.length : subject.length !== fixed.length) return false
    return fixed.every((part, i) => part === '*' || part === subject[i])
  }
  fc.assert(
    fc.property(pattern, pattern, (outer, inner) => {
      const contained = all.filter(each => takes(inner, each)).every(each => takes(outer, each))
      expect(covers(outer, inner)).toBe(contained)
    }),
  )
})
