/**
 * What a model would say that does just what a case expects. It shows that a case can be solved with what was
 * recorded, and that it is counted; of models it says nothing.
 */
import { carriedValue } from '../carried.ts'
import { questionOf, UNSURE } from '../decision/question.ts'
import { FINISH } from '../tools.ts'
import type { FieldSpec, FieldValue } from '../types.ts'
import type { InvestigateCase, LookCase } from './case-schema.ts'
import type { Said } from './recorded.ts'
import { fieldOf, rulesOf } from './run-look.ts'

/** What was recorded with the case, else what a faultless model would say. */
export function playOf(one: LookCase | InvestigateCase): readonly Said[] {
  if (one.recorded) return one.recorded
  const decided = decisionOf(one)
  const last = decided ? [decided] : []
  return one.suite === 'look' ? last : [...callsOf(one), { tool: FINISH, args: {} }, ...last]
}

function callsOf({ expect, results }: InvestigateCase): Said[] {
  return (expect.tools ?? []).map(tool => {
    const [entry] = results[tool] ?? []
    if (entry && 'answer' in entry) {
      const replies = [entry.answer ?? 'Yes', entry.answer === 'No' ? 'Yes' : 'No']
      return { tool, args: { question: 'Is that so?', replies, ...entry.when } }
    }
    return { tool, args: entry?.when ?? {} }
  })
}

function decisionOf({
  fields = {},
  rules,
  decision,
  values = {},
  expect,
}: LookCase | InvestigateCase): Said | null {
  const specs: { [name: string]: FieldSpec } = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, fieldOf(field)]),
  )
  const filled = (name: string) => {
    const spec = specs[name]
    return spec !== undefined && ('measure' in spec || carriedValue(spec, values[name]) !== null)
  }
  const question = questionOf(
    { fields: specs, options: decision, rules: rulesOf(rules) },
    { has: filled },
    true,
  )
  if (!question) return null
  const told = Object.entries(question.fields).map(([name, spec]) => [
    name,
    said(spec.ask, [expect.fields?.[name] ?? null].flat()[0] ?? null),
  ])
  return {
    ...Object.fromEntries(told),
    reason: 'as the case expects',
    self_reported: 0.5,
    ...(question.options && { decision: [expect.decision].flat()[0] ?? UNSURE }),
  }
}

function said(ask: string[] | string, value: FieldValue): FieldValue {
  if (value === null) return ask === 'number' ? null : ask === 'text' || ask === 'long_text' ? '' : UNSURE
  return ask === 'yes_no' && typeof value === 'boolean' ? (value ? 'yes' : 'no') : value
}
