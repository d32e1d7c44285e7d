import type { StepRow, Store } from '../store/index.ts'
import { isObject } from './json.ts'

/**
 * When an AI step asked (epoch ms), for the calls that are allowed in an hour: a Look asks once, so does a call to a
 * person that was placed, an investigation each time that it called its model.
 */
export function callsOf(
  { id, kind, status, inputs, result, startedAt }: StepRow,
  { toolCalls }: Store,
): number[] {
  if (kind === 'call')
    return status === 'waiting' || (isObject(result) && 'call' in result) ? [startedAt] : []
  if (kind !== 'ai') return []
  if (!isObject(inputs) || inputs.mode !== 'investigate') return [startedAt]
  return toolCalls.ofStep(id).flatMap(call => (call.kind === 'model' ? [call.startedAt] : []))
}
