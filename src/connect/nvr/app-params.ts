import type { AppParam } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'

/** Parameters with texts made into what the manifest asks for, where they say just that: values arrive as texts. */
export function typed(
  given: { [name: string]: JsonValue },
  asked: ReadonlyMap<string, AppParam>,
): { [name: string]: JsonValue } {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? made(value, asked.get(name)?.type ?? '') : value,
    ]),
  )
}

function made(text: string, type: string): JsonValue {
  const whole = /^-?\d{1,15}$/.test(text)
  const number = whole || /^-?\d{1,15}\.\d{1,15}$/.test(text)
  if (whole && ['int', 'integer'].includes(type)) return Number(text)
  if (number && ['float', 'number'].includes(type)) return Number(text)
  if (['bool', 'boolean'].includes(type) && /^(true|false|yes|no)$/.test(text))
    return text === 'true' || text === 'yes'
  return text
}
