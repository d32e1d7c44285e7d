/** The box's facts in people's words. */
import type { RunSummary, StepView } from './api.ts'
import { locale, t, term } from './language.ts'

/** `needs_attention` → `Needs attention`. */
export function label(slug: string): string {
  const text = slug.replaceAll(/[_-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const runStatus = (status: RunSummary['status']): string => term('status', status) ?? label(status)

export const stepStatus = (status: StepView['status']): string => term('status', status) ?? label(status)

/** `webhook` → `Webhook`: where there is little room. */
export const shortTrigger = (kind: string): string => term('short', kind) ?? label(kind)

export const trigger = (kind: string): string => term('trigger', kind) ?? label(kind)

export const stepKind = (kind: string): string => term('kind', kind) ?? label(kind)

type Judged = Pick<StepView, 'confidence' | 'confidence_source'> &
  Partial<Pick<StepView, 'inputs' | 'fields' | 'rule'>>

/** `96 % sure that somebody is there, measured in the picture`. */
export function confidence(step: Judged): string {
  if (step.confidence === null) return t('sure.not_measured')
  const source = step.confidence_source
  const of = source === 'measured' ? sureOf(step) : ''
  const by = source ? `, ${term('source', source) ?? source}` : ''
  return `${t('sure.sure', { n: Math.floor(step.confidence * 100) })}${of}${by}`
}

interface LookInputs {
  fields?: Record<string, { measure?: string; of?: string }>
  rules?: { when?: object }[]
}

/** A count is measured as something being there, or nothing: how many there are is not what the box is sure of. */
function sureOf({ inputs, fields, rule }: Judged): string {
  const look = (inputs ?? {}) as LookInputs
  const read = (look.rules ?? []).slice(0, (rule ?? -1) + 1).flatMap(({ when }) => Object.keys(when ?? {}))
  const counted = [...new Set(read)].filter(name => look.fields?.[name]?.measure === 'count')
  const [name] = counted
  if (name === undefined) return ''
  if (new Set(read).size > 1) return t('sure.what_is_there')
  const thing = look.fields?.[name]?.of ?? 'thing'
  const none = fields?.[name] === 0
  if (thing === 'person') return t(none ? 'sure.nobody' : 'sure.somebody')
  return t(none ? 'sure.no_thing' : 'sure.thing', { thing, a: /^[aeiou]/.test(thing) ? 'an' : 'a' })
}

export const unsure = (reason: string): string => term('unsure', reason) ?? label(reason)

/** A field's value, as people write it. */
export function value(it: unknown): string {
  if (it === null || it === undefined) return t('value.unknown')
  if (it === true) return t('value.yes')
  if (it === false) return t('value.no')
  if (it === '') return t('value.none')
  return typeof it === 'object' ? JSON.stringify(it) : String(it)
}

/** Who answered a question or took a call, or that nobody did; null: it is none, or still open. */
export function answered({
  kind,
  status,
  result,
}: Pick<StepView, 'kind' | 'status' | 'result'>): string | null {
  if (!['ask_person', 'call'].includes(kind) || status === 'waiting') return null
  const { answer, answered_by, message, would_ask, would_call } = (result ?? {}) as Record<string, unknown>
  if (typeof answered_by !== 'string') return null
  if (kind === 'call') {
    if (would_call) return t('answer.test_call')
    const said = typeof message === 'string' ? message : null
    return answered_by ? t('answer.taken', { who: answered_by }) : said
  }
  if (answered_by) return t('answer.by', { who: answered_by })
  const who = would_ask ? 'test' : 'nobody'
  return typeof answer === 'string' ? t(`answer.${who}_so`, { answer }) : t(`answer.${who}`)
}

/** The one line that tells most about what a step was given to do. */
export function gist(inputs: unknown): string | null {
  if (typeof inputs === 'string') return inputs
  if (inputs === null || typeof inputs !== 'object') return null
  const given = inputs as Record<string, unknown>
  for (const key of ['title', 'message', 'text', 'log', 'reply', 'to', 'for', 'wait', 'preset', 'service']) {
    const line = given[key]
    if (typeof line === 'string' && line) return line
  }
  return null
}

/** Who is called, and what for: `role:guard: Find out who it is`. */
export function calling(inputs: unknown): string | null {
  const { who, goal } = (inputs ?? {}) as { who?: string | string[]; goal?: string }
  return [[who ?? []].flat().join(', '), goal].filter(Boolean).join(': ') || null
}

/** Whether a model decided in a step: an AI step, or what was said in a call. */
export const decides = ({ kind, fields }: Pick<StepView, 'kind' | 'fields'>): boolean =>
  kind === 'ai' || (kind === 'call' && fields !== null)

const fixed = (n: number) => n.toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** `0.4 MB`, `12 MB`. */
export function megabytes(bytes: number): string {
  const size = bytes / 1_000_000
  return `${size < 9.95 ? fixed(size) : Math.round(size)} MB`
}

/** Memory and disks in powers of ten: `640 MB`, `7.9 GB`. */
export function bytes(count: number): string {
  return count < 1e9 ? `${Math.round(count / 1e6)} MB` : `${fixed(count / 1e9)} GB`
}

/** `< 1 ms`, `340 ms`, `2.4 s`, `3 min`. */
export function took(ms: number): string {
  if (ms < 1) return '< 1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${fixed(ms / 1000)} s`
  return `${Math.round(ms / 60_000)} min`
}

/** The time of day in the site's zone, with the day in front where it is not today's. */
export function clock(iso: string, zone: string, now = new Date()): string {
  const at = new Date(iso)
  const format = (options: Intl.DateTimeFormatOptions, date: Date) =>
    new Intl.DateTimeFormat(locale, { timeZone: zone, ...options }).format(date)
  const day = (date: Date) => format({ day: 'numeric', month: 'short', year: 'numeric' }, date)
  const time = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }, at)
  return day(at) === day(now) ? time : `${format({ day: 'numeric', month: 'short' }, at)}, ${time}`
}

/** When a day (`2026-11-30`) begins at the site, or one `later` by days, in ISO 8601 UTC. */
export function midnight(day: string, zone: string, later = 0): string {
  const wanted = Date.parse(`${day}T00:00:00Z`) + later * 86_400_000
  const ahead = (at: number): number => {
    const parts = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    return Date.parse(`${parts.format(at).replace(' ', 'T')}Z`) - at
  }
  // Twice, since the clock may be changed between the guess and the place.
  const near = wanted - ahead(wanted)
  return new Date(wanted - ahead(near)).toISOString()
}
