import type { MeasuredSpec } from '../vision/index.ts'
import type { FieldSpec, FieldValue } from './types.ts'

const LONGEST = 200
const LONGEST_TEXT = 60

/** What the fields say, in one line for people: `2 persons, no vehicle, text “DHL EXPRESS”`. */
export function reasonOf(
  specs: Readonly<Record<string, FieldSpec>>,
  values: Readonly<Record<string, FieldValue>>,
): string {
  const parts = Object.entries(specs).map(([name, spec]) => {
    const value = values[name] ?? null
    if ('measure' in spec) return value === null ? null : measuredWords(spec, value)
    return value === null ? null : `${name.replaceAll('_', ' ')} ${shown(value)}`
  })
  return oneLine(parts.filter(part => part !== null).join(', '))
}

/** One line of bounded length, whatever came in. */
export function oneLine(text: string, longest = LONGEST): string {
  const flat = text.replace(/\s+/gu, ' ').trim()
  const letters = [...flat]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : flat
}

function measuredWords(spec: MeasuredSpec, value: FieldValue): string {
  const thing = spec.of ?? 'thing'
  switch (spec.measure) {
    case 'count':
      return value === 0 ? `no ${thing}` : value === 1 ? `1 ${thing}` : `${value} ${thing}s`
    case 'present':
      return value ? `${/^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing}` : `no ${thing}`
    case 'text':
      return value ? `text “${oneLine(String(value), LONGEST_TEXT)}”` : 'no text'
    case 'plate':
      return value ? `plate ${value}` : 'no plate'
  }
}

function shown(value: FieldValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return oneLine(String(value), LONGEST_TEXT)
}
