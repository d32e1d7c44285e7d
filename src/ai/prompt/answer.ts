import { LONGEST, type Question, SELF_REPORTED, UNSURE, valuesOf } from '../decision/question.ts'
import type { AskedSpec } from '../types.ts'

/** What the answer has to be, told to the model: for servers that hold it to no schema, and so that it knows the words. */
export function answerForm({ fields, options, selfReported }: Question): string {
  const lines = Object.entries(fields).map(([name, field]) => `- "${name}": ${fieldForm(name, field)}`)
  lines.push(`- "reason": what you go by, in one line of at most ${LONGEST.reason} characters`)
  if (selfReported) lines.push(`- "${SELF_REPORTED}": how sure you are, a number from 0 to 1`)
  if (options) lines.push(`- "decision": ${oneOf(options)}; "${UNSURE}" where the data does not tell`)
  return `Answer with one JSON object and nothing else. Its keys, in this order:\n${lines.join('\n')}`
}

function fieldForm(name: string, field: AskedSpec): string {
  const { ask } = field
  const values = valuesOf(field)
  if (values) {
    const own = values.filter(value => value !== UNSURE || (Array.isArray(ask) && ask.includes(UNSURE)))
    return own.length === values.length
      ? oneOf(values)
      : `${oneOf(own)}; "${UNSURE}" where the data does not tell`
  }
  if (ask === 'number') return 'a number; null where the data does not tell'
  const size = ask === 'text' ? `in one line of at most ${LONGEST.text}` : `of at most ${LONGEST.long_text}`
  return `the ${name.replaceAll('_', ' ')}, a text ${size} characters; "" where the data does not tell`
}

function oneOf(values: readonly string[]): string {
  const shown = values.map(value => JSON.stringify(value))
  return shown.length === 1 ? `always ${shown[0]}` : `one of ${shown.join(', ')}`
}
