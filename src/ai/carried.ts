import type { AskedSpec, FieldValue } from './types.ts'

/** A value of the run that fits an asked field, or null. */
export function carriedValue(field: AskedSpec, value: unknown): FieldValue {
  const { ask } = field
  if (Array.isArray(ask)) return typeof value === 'string' && ask.includes(value) ? value : null
  switch (ask) {
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : null
    case 'yes_no':
      return typeof value === 'boolean' ? value : value === 'yes' ? true : value === 'no' ? false : null
    case 'text':
    case 'long_text':
      return typeof value === 'string' && value ? value : null
  }
}
