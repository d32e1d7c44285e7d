import { parseDuration } from '../../contract/index.ts'
import { cut } from '../../core/index.ts'
import { localTime, type SitePort } from '../../kinds/index.ts'
import type { EventRow } from '../../store/index.ts'
import type { LoopInputs } from '../loops.ts'
import type { EngineDeps } from '../ports.ts'

/** Parameters of a `for_each` step, as the contract checked them. */
export interface ForEachParams {
  cameras?: string[]
  list?: string
  events?: { schema: string; within: string }
  as?: string
  max?: number
  collect?: string
}

const MOST_ITEMS = 20
const LONGEST_ITEM = 500

/** What a loop goes over, as it is at this moment: it is stored with the loop's row and changes no more. */
export function itemsOf(
  params: ForEachParams,
  now: number,
  deps: Pick<EngineDeps, 'site' | 'store'>,
): LoopInputs {
  const max = params.max ?? MOST_ITEMS
  const { items, all } = found(params, max, now, deps)
  return {
    as: params.as ?? 'item',
    items: items.slice(0, max).map(text => cut(text, LONGEST_ITEM)),
    skipped: Math.max(0, all - max),
    ...(params.collect !== undefined && { collect: params.collect }),
  }
}

function found(
  { cameras, list, events }: ForEachParams,
  max: number,
  now: number,
  { site: siteNow, store }: Pick<EngineDeps, 'site' | 'store'>,
): { items: readonly string[]; all: number } {
  const site = siteNow()
  if (events) {
    const since = now - (parseDuration(events.within) ?? 0)
    const { rows, all } = store.events.kept(events.schema, { since, until: now, limit: max })
    // Of too many the latest count; the loop goes through them in the order in which they happened.
    return { items: rows.reverse().map(row => eventText(row, site)), all }
  }
  const items = cameras ? camerasOf(cameras, site) : (list !== undefined && site.list(list)) || []
  return { items, all: items.length }
}

/**
 * Each camera that bears one of the roles, once: as its role where it is the only one of that role, else as its id.
 * A role without a camera stays: its steps say that there is none.
 */
function camerasOf(roles: readonly string[], site: SitePort): string[] {
  const seen = new Set<string>()
  return roles.flatMap(role => {
    const cameras = site.camerasWithRole(role)
    if (!cameras.length) return [role]
    const fresh = cameras.filter(id => !seen.has(id))
    for (const id of fresh) seen.add(id)
    return fresh.map(id => (cameras.length === 1 ? role : id))
  })
}

/** `2026-03-10 13:02:11 gate: plate_text B-AB 123, confidence 0.97`, on the site's clock. */
function eventText({ at, cameraId, payload }: EventRow, site: SitePort): string {
  const time = localTime(at, site.timeZone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'second' })
    .replace('T', ' ')
  const camera = cameraId === null ? '' : ` ${site.rolesOf(cameraId)[0] ?? cameraId}`
  const fields = Object.entries((payload ?? {}) as object).map(([name, value]) => {
    return `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`
  })
  return `${time}${camera}: ${fields.join(', ')}`.replace(/\s+/gu, ' ')
}
