import { GatehouseError } from '../../core/index.ts'
import type { Forget } from '../../engine/index.ts'
import { instantOf } from '../../kinds/index.ts'
import { field, MAX_TEXT, readJsonBody, truthIn } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { json, type Route, type Shape } from '../route.ts'
import { FORGET_PREVIEW, FORGOTTEN } from '../schemas/index.ts'
import { Sight } from '../sight.ts'

const WHAT: Shape = {
  'plate?': 'string',
  'face?': 'string',
  'from?': 'string',
  'until?': 'string',
  'camera?': 'string|null',
}

/** What is to be forgotten goes: it concerns all cameras, and takes an admin. */
export function privacyRoutes({ care, engine, system }: WebDeps): Route[] {
  return [
    {
      method: 'POST',
      path: '/api/v1/privacy/forget/preview',
      permission: 'system.manage',
      summary: 'What would go if a plate, a face or a span of time were forgotten; nothing does',
      body: WHAT,
      answer: FORGET_PREVIEW,
      slow: true,
      handle: async ({ request, who }) => {
        new Sight(who, engine).demandWhole()
        const body = await readJsonBody(request, MAX_TEXT)
        return json(await care.privacy.preview(whatIn(body, system.timeZone())))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/privacy/forget',
      permission: 'system.manage',
      summary: 'Forget a plate, a face or a span of time for good; `confirmed` says that it is meant',
      body: { ...WHAT, confirmed: 'boolean' },
      answer: FORGOTTEN,
      slow: true,
      handle: async ({ request, who }) => {
        new Sight(who, engine).demandWhole()
        const body = await readJsonBody(request, MAX_TEXT)
        const what = whatIn(body, system.timeZone())
        if (!truthIn(body, 'confirmed'))
          throw unconfirmed('Look at the preview first, then send `confirmed`.')
        return json(await care.privacy.forget(what, who.author))
      },
    },
  ]
}

export const unconfirmed = (what: string) => new GatehouseError('unconfirmed', what, { status: 409 })

/** Exactly one of the three. Throws `bad_body` (422). */
function whatIn(body: unknown, timeZone: string): Forget {
  const text = (name: string): string | null => {
    const value = field(body, name) ?? null
    if (value !== null && typeof value !== 'string') throw bad(`\`${name}\` must be a text.`)
    return value
  }
  const [plate, face, from, until, camera] = ['plate', 'face', 'from', 'until', 'camera'].map(text)
  const given = [plate, face, from ?? until].filter(each => each != null)
  if (given.length !== 1) throw bad('Send one of: `plate`, `face`, or `from` with `until`.')
  if (plate != null) return { plate }
  if (face != null) return { face }
  if (from == null || until == null) throw bad('A span has `from` and `until`.')
  return { from: timeIn(from, timeZone), until: timeIn(until, timeZone), camera: camera ?? null }
}

/** A time with its offset, or as the site's clock shows it. */
function timeIn(text: string, timeZone: string): number {
  try {
    if (/(Z|[+-]\d\d:?\d\d)$/i.test(text)) return Temporal.Instant.from(text).epochMilliseconds
    const local = Temporal.PlainDateTime.from(text)
    return instantOf(local.toPlainDate(), local.toPlainTime(), timeZone)
  } catch {
    throw bad('A time is like 2026-11-30T14:30, as the clock of the site shows it, or with its offset.')
  }
}

const bad = (what: string) => new GatehouseError('bad_body', what, { status: 422 })
