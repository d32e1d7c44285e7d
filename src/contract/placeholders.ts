/** Placeholders: `{name}`, `{step.name}`, `{trigger.name}`. Filled once, in one pass; what comes in is data. */
import { yesNo } from './matcher.ts'
import type { Json } from './types.ts'

const PLACEHOLDER = /\{([A-Za-z_][A-Za-z0-9_-]{0,63}(?:\.[A-Za-z_][A-Za-z0-9_-]{0,63})?)\}/g

/** The names in a text, in order, each once. */
export const placeholdersIn = (text: string): string[] => [
  ...new Set(Array.from(text.matchAll(PLACEHOLDER), match => match[1] ?? '')),
]

/**
 * Puts values (by whole name, `gate.company` too) in the place of their placeholders. A value's own braces stay
 * as they are; a name without a value prints empty.
 */
export const fill = (text: string, values: Readonly<Record<string, Json | undefined>>): string =>
  text.replace(PLACEHOLDER, (_whole, name: string) => filled(name, values))

/** The same in pieces: the text's own ones (`name` null), and each value under its name. */
export const fillParts = (
  text: string,
  values: Readonly<Record<string, Json | undefined>>,
): { text: string; name: string | null }[] => {
  const parts: { text: string; name: string | null }[] = []
  let from = 0
  for (const match of text.matchAll(PLACEHOLDER)) {
    const name = match[1] ?? ''
    parts.push({ text: text.slice(from, match.index), name: null }, { text: filled(name, values), name })
    from = match.index + match[0].length
  }
  parts.push({ text: text.slice(from), name: null })
  return parts.filter(part => part.text !== '')
}

const filled = (name: string, values: Readonly<Record<string, Json | undefined>>): string =>
  Object.hasOwn(values, name) ? printed(values[name]) : ''

/** A value as people read it: yes and no, lists with commas, maps as JSON. */
function printed(value: Json | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return yesNo(value)
  if (Array.isArray(value) && value.every(item => item === null || typeof item !== 'object')) {
    return value.map(printed).join(', ')
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
