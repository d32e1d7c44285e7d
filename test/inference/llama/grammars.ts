/** Random grammars of JSON answers, small and bounded, and what an answer has to be to have followed them. */
import { random } from './gguf.ts'

export interface Asked {
  grammar: string
  /** Why the text is no answer to this, or null. */
  wrong(text: string): string | null
}

type Field =
  | { kind: 'choice'; options: string[] }
  | { kind: 'text'; longest: number }
  | { kind: 'number' }
  | { kind: 'truth' }

const words = [
  'person',
  'vehicle',
  'dhl',
  'unknown',
  'visitor',
  'cab',
  'delivery',
  'none',
  'no_one',
  'gate é',
  '"x"',
]

/** One question per seed. */
export function askedBy(seed: number): Asked {
  const next = random(seed)
  const below = (n: number) => Math.floor(next() * n)
  const fields = new Map<string, Field>()
  for (let i = 0; i <= below(4); i++) fields.set(`${words[below(7)]}_${i}`, fieldOf(below))
  const names = [...fields.keys()]
  const literal = (text: string) => JSON.stringify(text)
  const rules = names.map((name, i) => {
    const before = `${i ? ',' : '{'}${JSON.stringify(name)}:`
    return `${literal(before)} f${i}`
  })
  const lines = [`root ::= ${rules.join(' ')} "}"`]
  for (const [i, field] of [...fields.values()].entries()) lines.push(`f${i} ::= ${ruleOf(field)}`)
  return {
    grammar: `${lines.join('\n')}\n`,
    wrong(text) {
      let answer: unknown
      try {
        answer = JSON.parse(text)
      } catch {
        return `no JSON: ${text}`
      }
      if (typeof answer !== 'object' || answer === null) return 'no object'
      if (Object.keys(answer).join() !== names.join()) return `other keys: ${text}`
      const values = Object.values(answer)
      const wrong = [...fields.values()].findIndex((field, i) => !fits(field, values[i]))
      return wrong < 0 ? null : `${names[wrong]} does not fit: ${text}`
    },
  }
}

function fieldOf(below: (n: number) => number): Field {
  const kind = (['choice', 'text', 'number', 'truth'] as const)[below(4)] ?? 'truth'
  if (kind === 'text') return { kind, longest: below(30) }
  if (kind !== 'choice') return { kind }
  const options = Array.from({ length: 1 + below(5) }, () => words[below(words.length)] ?? '')
  return { kind, options: [...new Set(options)] }
}

function ruleOf(field: Field): string {
  switch (field.kind) {
    case 'choice':
      return field.options.map(option => JSON.stringify(JSON.stringify(option))).join(' | ')
    case 'text':
      return `"\\"" [ !#-\\[\\]-~]{0,${field.longest}} "\\""`
    case 'number':
      return '"0" | "1" | "0." [0-9] [0-9]?'
    case 'truth':
      return '"true" | "false"'
  }
}

function fits(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case 'choice':
      return typeof value === 'string' && field.options.includes(value)
    case 'text':
      return typeof value === 'string' && value.length <= field.longest
    case 'number':
      return typeof value === 'number' && value >= 0 && value <= 1
    case 'truth':
      return typeof value === 'boolean'
  }
}
