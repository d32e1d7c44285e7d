/** What a card says: as much as goes, of a file that may be half written. */
import type { Condition, Step, Workflow } from '../../../contract/index.ts'
import { conditionSays, stepSays, triggerSays } from '../flow/says.ts'
import { label, stepKind, trigger } from '../words.ts'
import { say } from './words.ts'

const tried = (what: () => string): string => {
  try {
    return what()
  } catch {
    return ''
  }
}

export const stepLine = (step: Step): string => tried(() => stepSays(step))
export const conditionLine = (condition: Condition): string => tried(() => conditionSays(condition))
export const triggerLine = ({ when }: Workflow): string => tried(() => triggerSays(when))

export const triggerName = (kind: string): string => (kind ? trigger(kind) : say('add.trigger'))

export function stepName({ kind, params }: Pick<Step, 'kind' | 'params'>): string {
  const { mode } = (params ?? {}) as { mode?: unknown }
  return kind === 'ai' && mode === 'investigate' ? say('kind.investigate') : stepKind(kind) || label(kind)
}
