import type { StepRow, Store } from '../store/index.ts'
import { isObject } from './json.ts'

/**
 * When an AI step asked (epoch ms), for the calls that are allowed in an hour: a Look asks once, an investigation
 * each time that it called its model.
 */
export function callsOf({ id, kind, inputs, startedAt }: StepRow, { toolCalls }: Store): number[] {
  if (kind !== 'ai') return []
  if (!isObject(inputs) || inputs.mode !== 'investigate') return [startedAt]
  return toolCalls.ofStep(id).flatMap(call => (call.kind === 'model' ? [call.startedAt] : []))
}
