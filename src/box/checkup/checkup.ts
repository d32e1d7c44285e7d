import type { CameraCondition, Secrets } from '../../connect/index.ts'
import { type Clock, iso, type JsonValue } from '../../core/index.ts'
import type { EngineApi } from '../../engine/index.ts'
import { type Hardware, hardwareJson, type Measured, type Preset } from '../../hardware/index.ts'
import type { Channel, Site } from '../../site/index.ts'
import type { Store } from '../../store/index.ts'
import { version } from '../version.ts'
import {
  cameraChecks,
  diskChecks,
  fileChecks,
  hardwareChecks,
  lineChecks,
  modelChecks,
  timeChecks,
  waitingChecks,
  workflowChecks,
} from './box-checks.ts'
import { bad, type Check, good, note } from './check.ts'
import { siteChecks } from './site-checks.ts'

export interface CheckupParts {
  site: () => Site
  secrets: Secrets
  engine: () => Pick<EngineApi, 'workflows' | 'upkeep' | 'approvals' | 'notices'>
  store: Store
  clock: Clock
  hardware: Hardware
  preset: Preset
  measured(): Measured | null
  /** What stands under `models` of the routes. */
  models(): Promise<JsonValue>
  cameraConditions(): ReadonlyMap<string, CameraCondition>
  connectionProblems(): Record<string, string>
  channelProblems(): Record<string, string>
  siteProblem(): string | null
  /** Why nothing runs; null: the box is not in safe mode. */
  safe: string | null
  /** Somebody has a login. */
  claimed(): boolean
}

/** All that is looked at, and what stands in the report for whoever takes the box over. */
export interface Checkup {
  checks: Check[]
  report: {
    at: string
    version: string
    box: string
    time_zone: string
    page: string | null
    hardware: JsonValue
    models: JsonValue
    disk_free_bytes: number | null
    cameras: {
      id: string
      name: string
      roles: readonly string[]
      source: string | null
      last_frame_at: string | null
      problem: string | null
    }[]
    people: { name: string; roles: readonly string[]; channels: string[]; quiet: string | null }[]
    alerts: { to: readonly string[]; from: string }
    channels: { name: string; kind: string; tested: Tested | null }[]
    destinations: { name: string; class: string; tested: Tested | null }[]
    workflows: {
      name: string
      state: string
      trigger: string
      needs_attention: string | null
      last_run: string | null
    }[]
  }
}

interface Tested {
  at: string
  outcome: string
  message: string
}

/** Looks at everything that can be looked at without doing anything. */
export async function checkup(parts: CheckupParts): Promise<Checkup> {
  const { site: siteNow, secrets, store, clock, hardware } = parts
  const site = siteNow()
  const now = clock.now()
  const engine = parts.engine()
  const models = await parts.models()
  const conditions = parts.cameraConditions()
  const cameras = site.cameras.map(({ id, name, roles, source }) => {
    const { problem = null, lastFrameAt = null } = conditions.get(id) ?? {}
    return { id, name, roles, hasSource: source !== null, source: source?.kind ?? null, problem, lastFrameAt }
  })
  const tests = store.siteTests.all()
  const disk = engine.upkeep.view()
  const workflows = engine.workflows()
  const checks = [
    ...boxChecks(parts),
    ...timeChecks(site.timeZone, now),
    ...diskChecks(disk),
    ...hardwareChecks(hardware),
    ...fileChecks(parts.siteProblem(), site.warnings),
    ...siteChecks(site, secrets),
    ...cameraChecks(cameras, now),
    ...lineChecks(
      {
        channels: [...site.reach.channels.keys()],
        channelProblems: parts.channelProblems(),
        connectionProblems: parts.connectionProblems(),
        tests,
      },
      now,
    ),
    ...modelChecks(models),
    ...languageChecks(models),
    ...workflowChecks(workflows),
    ...waitingChecks(
      engine.notices({ unsettled: true, limit: 100 }).length,
      engine.approvals({ open: true }).length,
    ),
  ]
  const tested = (kind: string, name: string): Tested | null => {
    const test = tests.find(each => each.kind === kind && each.name === name)
    return test ? { at: iso(test.at), outcome: test.outcome, message: test.message } : null
  }
  const report: Checkup['report'] = {
    ...{ at: iso(now), version, box: store.meta.boxId, time_zone: site.timeZone, page: site.reach.page },
    hardware: hardwareJson(hardware, parts.preset, parts.measured()),
    models,
    disk_free_bytes: disk.free_bytes,
    cameras: cameras.map(({ hasSource: _, lastFrameAt, ...rest }) => ({
      ...rest,
      last_frame_at: lastFrameAt === null ? null : iso(lastFrameAt),
    })),
    people: [...site.reach.people].map(([name, { channels, quiet }]) => ({
      name,
      roles: site.person(name) ?? [],
      channels: channels.map(({ channel, from }) => (from === 'low' ? channel : `${channel} from ${from}`)),
      quiet: quiet && `${quiet.from} to ${quiet.to}${quiet.days ? ` (${quiet.days.join(', ')})` : ''}`,
    })),
    alerts: { to: site.reach.alerts.to, from: site.reach.alerts.from },
    channels: [...site.reach.channels.values()].map(({ name, kind }: Channel) => ({
      ...{ name, kind, tested: tested('channel', name) },
    })),
    destinations: [...site.destinations, ...site.topics].map(({ name, class: effect }) => ({
      ...{ name, class: effect, tested: tested('destination', name) },
    })),
    workflows: workflows.map(({ name, state, trigger, needs_attention, last_run }) => ({
      ...{ name, state, trigger, needs_attention, last_run: last_run?.started_at ?? null },
    })),
  }
  return { checks, report }
}

function boxChecks({ safe, claimed }: CheckupParts): Check[] {
  return [
    safe === null
      ? good('Box', null, `It is up, version ${version}.`)
      : bad(
          'Box',
          null,
          `Safe mode, nothing runs: ${safe}`,
          'To have it try again: gatehouse rescue --clear',
        ),
    claimed()
      ? good('Logins', null, 'The box has an admin.')
      : note(
          'Logins',
          null,
          'Nobody has claimed this box: it answers its own machine only.',
          'Claim it on the page.',
        ),
  ]
}

/** The models that the site names, as they were last heard of. */
function languageChecks(models: JsonValue): Check[] {
  const { language = null, vision = null } = (models ?? {}) as Record<string, JsonValue>
  return [
    ['Language model', language],
    ['Model for pictures', vision],
  ].flatMap(([area, value]): Check[] => {
    if (value === null || typeof value !== 'object') return []
    const { name, state, why, installed } = value as Record<string, JsonValue>
    const what = String(area)
    if (installed === false)
      return [
        bad(what, String(name), 'It is named and not installed.', 'Bring it: gatehouse models add FILE'),
      ]
    if (state === 'failed') return [bad(what, String(name), String(why))]
    return state === 'answered'
      ? [good(what, String(name), 'It answered when it was last asked.')]
      : [note(what, String(name), 'It was not asked yet.')]
  })
}
