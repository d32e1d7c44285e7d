import { expect, it } from 'vitest'
import { echoOf, readEvent } from '../../../src/kinds/wire/index.ts'

it('finds which run a message came from, wherever it says so', () => {
  const nothing = { correlationId: null, chain: [] }
  expect(echoOf({ plate: 'x', list: [1, null, 'run_a_1'] })).toEqual(nothing)
  expect(echoOf({}, [null, '  '])).toEqual(nothing)
  expect(echoOf({ correlation_id: 'c-1' })).toEqual({ correlationId: 'c-1', chain: [] })
  expect(echoOf({ correlation_id: 'c-1' }, ['run_a_1']).correlationId).toBe('run_a_1')
  // Whoever wraps it under an id of its own does not hide it.
  expect(echoOf({ correlation_id: 'c-1', was: [{ correlation_id: 'run_a_1' }] }, ['c-2']).correlationId).toBe(
    'run_a_1',
  )
  expect(echoOf({ alert: { evidence: { chain: ['yard-watch', 7, 'x'.repeat(300)] } } }).chain).toEqual([
    'yard-watch',
  ])
  expect(echoOf({ evidence: { chain: Array.from({ length: 90 }, (_, i) => `w${i}`) } }).chain).toHaveLength(
    16,
  )
})

it('domain events and alerts are read for it too', () => {
  const plate = { schema: 'plate.recognized.v1', payload: { plate_text: 'X', correlation_id: 'run_a_1' } }
  expect(readEvent(plate, 0).correlationId).toBe('run_a_1')
  expect(readEvent({ ...plate, payload: { plate_text: 'X' } }, 0, 'run_b_2').correlationId).toBe('run_b_2')
  const alert = { evidence: { chain: ['a', 'b'] } }
  const nested = { schema: 'access.decided.v1', payload: { decision: 'allow', alert } }
  expect(readEvent(nested, 0).chain).toEqual(['a', 'b'])
})
