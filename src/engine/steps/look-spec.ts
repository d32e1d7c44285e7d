import type { DecisionSpec, FieldSpec } from '../../ai/index.ts'
import { type Json, parseDuration } from '../../contract/index.ts'
import type { SitePort } from '../../kinds/index.ts'

/** Parameters of an `ai` step with `mode: look`, as the contract checked them. */
export interface LookParams {
  prompt: string
  input:
    | 'picture'
    | 'event'
    | 'frames'
    | 'text'
    | { frames: { count: number; over: string } }
    | { text: string }
  look_at?: string
  max_age?: string
  fields?: { [name: string]: string[] | string | { measure: string; region?: string } }
  decision: string[]
  rules?: { when?: { [field: string]: Json }; then: string }[]
  sure?: number
  limits?: { seconds?: number }
}

export const MAX_AGE_MS = 30_000

/** A zone that a field measures in and that nobody drew on this camera. */
export class NoZone extends Error {
  constructor(zone: string) {
    super(`there is no zone ${zone} on this camera: draw it, or leave region out`)
  }
}

/** What the AI library is asked, out of what the file says. Throws `NoZone`. */
export function specOf(params: LookParams, cameraId: string | null, site: SitePort): DecisionSpec {
  const fields: DecisionSpec['fields'] = {}
  for (const [name, field] of Object.entries(params.fields ?? {}))
    fields[name] = fieldOf(field, cameraId, site)
  return {
    options: params.decision,
    prompt: params.prompt,
    fields,
    floor: params.sure ?? null,
    rules: params.rules ?? null,
    maxAgeMs: parseDuration(params.max_age ?? '') ?? MAX_AGE_MS,
  }
}

function fieldOf(
  field: NonNullable<LookParams['fields']>[string],
  cameraId: string | null,
  site: SitePort,
): FieldSpec {
  if (Array.isArray(field) || typeof field === 'string') return { ask: field } as FieldSpec
  const { region, ...measured } = field
  if (region === undefined) return measured as FieldSpec
  const polygon = site.zone(cameraId, region)
  if (!polygon) throw new NoZone(region)
  return { ...measured, region: polygon } as FieldSpec
}
