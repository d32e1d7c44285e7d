import { SEVERITIES, type Severity } from '../../contract/index.ts'
import type { ApprovalView, NoticeView } from '../../engine/index.ts'
import { inWindow } from '../../kinds/index.ts'
import { ownAddress, type Reached, type Site } from '../../site/index.ts'

/** The role of whoever is told what the box says of itself. */
const OWNER = 'role:owner'

/** A person who is told by a lane. */
interface Passenger {
  name: string
  /** As `who` may name them: `person:ann`, `role:guard` … */
  known: ReadonlySet<string>
  from: Severity
  quiet: Reached['quiet']
}

/** One channel to one address. */
export interface LanePlan {
  channel: string
  at: string | null
  people: readonly Passenger[]
  /** The channel itself is told, by `channel:<name>`. */
  direct: boolean
}

/** All lanes of a site, by their names. One site does not change, so that this is found once. */
export function lanesOf(site: Site): ReadonlyMap<string, LanePlan> {
  const known = made.get(site)
  if (known) return known
  const lanes = make(site)
  made.set(site, lanes)
  return lanes
}

const made = new WeakMap<Site, ReadonlyMap<string, LanePlan>>()

function make(site: Site): Map<string, LanePlan> {
  const { channels, people, alerts } = site.reach
  const lanes = new Map<
    string,
    { channel: string; at: string | null; people: Passenger[]; direct: boolean }
  >()
  const lane = (channel: string, at: string | null) => {
    const name = at === null ? channel : `${channel}:${at}`
    const found = lanes.get(name) ?? { channel, at, people: [], direct: false }
    lanes.set(name, found)
    return found
  }
  for (const [person, { channels: places, quiet }] of people) {
    const roles = (site.person(person) ?? []).map(role => `role:${role}`)
    const known = new Set([`person:${person}`, ...roles])
    for (const { channel, at, from } of places) {
      const setting = channels.get(channel)
      if (setting)
        lane(channel, at ?? ownAddress(setting) ?? null).people.push({ name: person, known, from, quiet })
    }
  }
  for (const word of alerts.to) {
    const setting = word.startsWith('channel:') ? channels.get(word.slice('channel:'.length)) : undefined
    if (setting) lane(setting.name, ownAddress(setting) ?? null).direct = true
  }
  return lanes
}

/** Who of a lane is told something; null: nobody. */
export interface Told {
  people: readonly Passenger[]
  direct: boolean
}

/** Who of a lane is told a notice. */
export function toldNotice(lane: LanePlan, notice: NoticeView, site: Site): Told | null {
  const { alerts } = site.reach
  const severity = severityOf(notice.severity)
  if (notice.kind === 'notify') return told(lane, (notice.audience ?? '').split(', '), severity)
  // What the box says of itself is for its owner, and for whoever is told alerts where nobody is.
  if (notice.run === null) return told(lane, ownersOf(site), null)
  return isAtLeast(severity, alerts.from) ? told(lane, alerts.to, severity) : null
}

/**
 * Who of a lane is asked. A question is as grave as an alert that is: somebody waits. Whom Home Assistant shows the
 * replies as buttons is not told there a second time.
 */
export function toldQuestion(lane: LanePlan, { who }: ApprovalView, site: Site): Told | null {
  const buttons = who.flatMap(each => site.homeAssistant?.ask.get(each) ?? [])
  const isHome = site.reach.channels.get(lane.channel)?.kind === 'home_assistant'
  if (isHome && lane.at !== null && buttons.includes(lane.at)) return null
  return told(lane, who, 'high')
}

/** Whether all who are told want quiet now. What is grave is never quiet. */
export function isSilent({ people, direct }: Told, severity: Severity, site: Site, now: number): boolean {
  if (direct || isAtLeast(severity, 'high')) return false
  return people.every(({ quiet }) => quiet !== null && inWindow(quiet, now, site.timeZone))
}

export function severityOf(text: string): Severity {
  return SEVERITIES.find(each => each === text) ?? 'medium'
}

/** `severity`: null where people cannot ask to be spared of milder ones. */
function told(lane: LanePlan, who: readonly string[], severity: Severity | null): Told | null {
  const people = lane.people.filter(
    ({ known, from }) =>
      who.some(each => known.has(each)) && (severity === null || isAtLeast(severity, from)),
  )
  const direct = lane.direct && who.includes(`channel:${lane.channel}`)
  return people.length || direct ? { people, direct } : null
}

function ownersOf(site: Site): readonly string[] {
  const reached = site.peopleBy(OWNER).some(name => site.reach.people.get(name)?.channels.length)
  return reached ? [OWNER] : site.reach.alerts.to
}

function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least)
}
