import type { JsonValue, Picture } from '../../core/index.ts'
import { type Measured, type MeasuredSpec, measure, type Seen, type Vision } from '../../vision/index.ts'
import type { LanguageModel } from '../language.ts'
import { runLook } from '../look.ts'
import type { AskedSpec, DecisionSpec, FieldSpec } from '../types.ts'
import type { InvestigateCase, LookCase } from './case-schema.ts'
import { clockOf, recordedEyes } from './recorded.ts'
import { type CaseResult, judged, type LeftOut } from './result.ts'

const MAX_AGE_MS = 30_000

/** What Looks are run with. */
export interface LookPorts {
  /** Who is judged; null: only cases that need nobody are run. */
  language: LanguageModel | null
  /** The eyes of this box, and what their scores are worth; null: cases with pictures are left out. */
  eyes: { vision: Vision; measure(spec: MeasuredSpec, seen: Seen): Measured } | null
  /** A sample picture by its name. */
  picture(name: string): Promise<Uint8Array>
  now(): number
  /** Of one Look. */
  timeoutMs: number
  signal?: AbortSignal
}

/** Runs one Look case as a workflow would run it. Rejects only where its picture cannot be read. */
export async function runLookCase(one: LookCase, ports: LookPorts): Promise<CaseResult | LeftOut> {
  const { language, now, timeoutMs, signal } = ports
  const leftOut = (why: string): LeftOut => ({ id: one.id, suite: 'look', why })
  if (!language && needsLanguage(one)) return leftOut('it needs a language model')
  const recorded = one.scenes && { vision: recordedEyes(one.scenes), measure: asRecorded }
  const eyes = recorded ?? ports.eyes
  if (!eyes && one.picture !== undefined) return leftOut('it needs detector and reader')
  if (recorded && language?.sees) return leftOut('it has no picture for a model that sees')
  const pictures = await picturesOf(one, ports)
  const decision = await runLook(
    specOf(one),
    {
      pictures,
      values: jsonOf(one.values),
      facts: one.site.facts ?? '',
      ...clockOf(one.event),
      text: one.text ?? null,
      ...(one.event && { event: jsonOf(one.event) }),
    },
    {
      ...(eyes ?? { vision: recordedEyes([]), measure: asRecorded }),
      now,
      timeoutMs,
      language,
      ...(signal && { signal }),
    },
  )
  return judged(one, decision, [])
}

/** Whether nothing comes of it without a language model. */
export function needsLanguage({ fields = {}, rules, values = {} }: LookCase): boolean {
  const asked = Object.entries(fields).some(
    ([name, field]) => 'ask' in fieldOf(field) && !Object.hasOwn(values, name),
  )
  return !rules || asked
}

/** What the library is asked, out of what a case says. */
export function specOf({ prompt, decision, fields = {}, rules, sure }: LookCase): DecisionSpec {
  return {
    options: decision,
    prompt,
    fields: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldOf(field)])),
    floor: sure ?? null,
    rules: rulesOf(rules),
    maxAgeMs: MAX_AGE_MS,
  }
}

export function fieldOf(field: NonNullable<LookCase['fields']>[string]): FieldSpec {
  return Array.isArray(field) || typeof field === 'string' ? ({ ask: field } as AskedSpec) : field
}

export function rulesOf(rules: LookCase['rules'] | InvestigateCase['rules']): DecisionSpec['rules'] {
  return rules ? rules.map(({ when, then }) => ({ then, ...(when && { when: jsonOf(when) }) })) : null
}

/** Out of YAML comes nothing but JSON. */
export const jsonOf = (data: { [name: string]: unknown } | undefined) =>
  (data ?? {}) as { [name: string]: JsonValue }

const asRecorded = (spec: MeasuredSpec, seen: Seen) => measure(spec, seen, {})

async function picturesOf({ picture, scenes = [], age = 0 }: LookCase, ports: LookPorts): Promise<Picture[]> {
  const takenAt = age === null ? null : ports.now() - age * 1000
  if (picture !== undefined) return [{ bytes: await ports.picture(picture), takenAt, source: picture }]
  return scenes.map((_, i) => ({ bytes: new Uint8Array(0), takenAt, source: `scene ${i + 1}` }))
}
