/** What the schema of the `ai` step cannot say. */
import type { Finding } from '../../kind.ts'
import type { AiParams } from './ai.ts'
import { checkDistinct } from './distinct.ts'
import { isMeasured } from './fields.ts'
import { checkFieldNames, checkFields } from './fields-check.ts'
import { checkRules } from './rules-check.ts'

type Found = (finding: Finding) => void

const ONLY = {
  look: ['prompt', 'input', 'look_at', 'max_age'],
  investigate: ['goal', 'instructions', 'tools', 'memory'],
} as const
const REQUIRED = { look: ['prompt', 'input'], investigate: ['goal', 'tools'] } as const

export function checkAi(it: AiParams, found: Found): void {
  checkMode(it, found)
  checkDistinct('decision', it.decision, found, 'decision')
  if (it.tools) checkDistinct('tools', it.tools, found, 'tool')
  checkFieldNames(it.fields ?? {}, found)
  checkFields(it.fields ?? {}, found)
  checkMeasured(it, found)
  checkRules(it, found)
}

function checkMode(it: AiParams, found: Found): void {
  const other = it.mode === 'look' ? 'investigate' : 'look'
  for (const key of REQUIRED[it.mode]) {
    if (it[key] !== undefined) continue
    found({ at: [], code: 'missing_key', message: `An ai step with mode: ${it.mode} needs ${key}: add it.` })
  }
  for (const key of ONLY[other]) {
    if (it[key] === undefined) continue
    found({
      at: [key],
      key: true,
      code: 'wrong_mode',
      message: `${key} belongs to mode: ${other}: leave it out, or change the mode.`,
    })
  }
  if (it.mode === 'investigate' && it.rules === undefined) {
    found({
      severity: 'warning',
      at: [],
      code: 'investigate_without_rules',
      message: 'Nothing but the model decides here: add rules, or check the decision in what follows.',
    })
  }
}

function checkMeasured(it: AiParams, found: Found): void {
  const seen =
    it.mode === 'look' && (it.input === 'picture' || (typeof it.input === 'object' && 'frames' in it.input))
  for (const [name, field] of Object.entries(it.fields ?? {})) {
    if (!isMeasured(field) || seen) continue
    found({
      at: ['fields', name, 'measure'],
      code: 'measure_without_picture',
      message:
        'Only a Look at a picture or frames can measure: change the input, or ask the model for this field.',
    })
  }
}
