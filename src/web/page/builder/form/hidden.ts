import { ALTERNATIVES } from './alternatives.ts'

/** They have an editor of their own. */
const ELSEWHERE = ['decision', 'replies', 'outcomes', 'until', 'mode']

/** Of an AI step, what its other way alone has. */
const ONLY: Readonly<Record<string, readonly string[]>> = {
  look: ['goal', 'instructions', 'tools', 'memory'],
  investigate: ['prompt', 'input', 'look_at', 'max_age'],
}

/** Parameters that a form does not ask for one by one. */
export const hiddenOf = (kind: string, given: object): readonly string[] => [
  ...ELSEWHERE,
  ...(kind === 'ai' ? (ONLY[String((given as { mode?: unknown }).mode)] ?? []) : []),
  ...(ALTERNATIVES[kind]?.keys ?? []),
]
