import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { parse } from 'yaml'
import { reread, type Workflow } from '../contract/index.ts'
import type { Clock, JsonValue, Picture } from '../core/index.ts'
import { type Replay, slugOf, type TemplateCase, type TemplateSet, type Templates } from '../engine/index.ts'
import type { SitePort } from '../kinds/index.ts'
import { type Site, selfMapped } from '../site/index.ts'
import { eventFor } from './event-for.ts'

const PictureName = Type.String({ pattern: '^[a-z0-9-]+\\.jpg$' })

const given = Type.Optional(Type.Record(Type.String(), Type.Unknown()))
const Recorded = Type.Union([
  Type.Object({ when: given, result: Type.Unknown() }, { additionalProperties: false }),
  Type.Object({ when: given, error: Type.String() }, { additionalProperties: false }),
])

/** As much of a case set as is read here. */
const CaseSet = Type.Object({
  event: Type.Record(Type.String(), Type.Unknown()),
  /** The time of day at which it happens. */
  at: Type.Optional(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })),
  cases: Type.Array(
    Type.Object({
      /** What tools answered, as cases of evaluations have it; a tool that is not named is at work. */
      results: Type.Optional(Type.Record(Type.String(), Type.Array(Recorded, { minItems: 1, maxItems: 12 }))),
      picture: Type.Optional(PictureName),
      pictures: Type.Optional(Type.Array(PictureName)),
      cameras: Type.Optional(Type.Record(Type.String(), PictureName)),
      /** It rests on what a model is recorded to say, unless what tools answered is recorded, too. */
      recorded: Type.Optional(Type.Boolean()),
      decision: Type.String(),
    }),
  ),
})
type Case = Static<typeof CaseSet>['cases'][number]

export interface TemplateCasesOptions {
  /** Folder of the templates. */
  templates: string
  site: () => Site
  clock: Clock
}

/** The case sets that come with the templates, read when somebody first asks. */
export class TemplateCases implements Templates {
  readonly #options: TemplateCasesOptions
  #known: Known[] | null = null

  constructor(options: TemplateCasesOptions) {
    this.#options = options
  }

  find(slug: string): TemplateSet | null {
    const { templates } = this.#options
    this.#known ??= templatesIn(templates)
    // A second one of its name bears a number.
    const found = this.#known.find(each => slug === each.slug || slug.replace(/-\d+$/, '') === each.slug)
    const set = found && setOf(join(templates, 'cases', found.file))
    if (!found || !set) return null
    return {
      name: found.file,
      workflow: found.workflow,
      siteFor: workflow => siteFor(workflow, this.#options.site()),
      casesFor: workflow =>
        Promise.all(
          set.cases
            .filter(one => !one.recorded || one.results)
            .map(one => this.#caseOf(one, set, found.workflow, workflow)),
        ),
    }
  }

  async #caseOf(
    one: Case,
    set: Static<typeof CaseSet>,
    template: Workflow,
    workflow: Workflow,
  ): Promise<TemplateCase> {
    const { templates, site, clock } = this.#options
    const at = timeOf(set.at, site().timeZone, clock.now())
    const read = async (name: string): Promise<Picture> => {
      const bytes = new Uint8Array(await readFile(join(templates, 'cases/pictures', name)))
      return { bytes, takenAt: at, source: name }
    }
    const frames = one.picture === undefined ? (one.pictures ?? []) : [one.picture]
    const shown = Object.entries(one.cameras ?? {})
    const event = eventFor(
      workflow,
      { ...(set.event as { [key: string]: JsonValue }), ...cameraOf(set.event, template, workflow) },
      { workflowId: 1, pictures: await Promise.all(frames.map(read)), now: at },
    )
    const cameras = await Promise.all(shown.map(async ([role, name]) => [role, await read(name)] as const))
    const replay = one.results && (await replayOf(one.results))
    const words = [...new Set([...frames, ...shown.map(([role, name]) => `${role}: ${name}`)])]
    return {
      name: nameOf(words, one),
      at,
      event,
      cameras: new Map(cameras),
      ...(replay && { replay }),
      expected: one.decision,
    }
  }
}

/** For people. Cases with the same pictures differ in what tools answered. */
function nameOf(shown: readonly string[], { results = {} }: Case): string {
  const told = Object.keys(results).map(tool => `${tool} as recorded`)
  return [...shown, ...told].join(', ') || 'no picture'
}

/** Tools that answer what was recorded. The replay is loaded once there is a case for it. */
async function replayOf(results: NonNullable<Case['results']>): Promise<Replay> {
  const { replayed } = await import('../ai/eval/index.ts')
  return tool => {
    const entries = Object.hasOwn(results, tool) ? results[tool] : undefined
    return entries ? args => replayed(entries, args, []) : null
  }
}

interface Known {
  slug: string
  file: string
  text: string
  workflow: Workflow
}

/** The templates of a folder, those that are understood. */
export function templatesIn(folder: string): Known[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.yaml'))
    .sort()
    .flatMap(file => {
      const text = readFileSync(join(folder, file), 'utf8')
      const workflow = reread(text)
      return workflow ? [{ slug: slugOf(workflow.name, () => false), file, text, workflow }] : []
    })
    .sort((a, b) => needs(a.workflow) - needs(b.workflow))
}

/** How much a site has to have for it: what needs least is the easiest to begin with. */
const needs = ({ needs: all = {} }: Workflow): number =>
  Object.values(all).reduce(
    (sum, names) => sum + (Array.isArray(names) ? names : Object.keys(names)).length,
    0,
  )

/** Null where there is none, or none that can be read: then there is nothing to hold a workflow against. */
function setOf(path: string): Static<typeof CaseSet> | null {
  try {
    const set: unknown = parse(readFileSync(path, 'utf8'), { maxAliasCount: 0 })
    return Value.Check(CaseSet, set) ? set : null
  } catch {
    return null
  }
}

/** The next such time of day at the site, so that pictures are of then; now where any will do. */
function timeOf(at: string | undefined, timeZone: string, now: number): number {
  if (at === undefined) return now
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  const then = today.withPlainTime(Temporal.PlainTime.from(at))
  return (then.epochMilliseconds < now ? then.add({ days: 1 }) : then).epochMilliseconds
}

/** A file that listens to another camera than its template is shown the same there. */
function cameraOf(
  event: { [key: string]: unknown },
  template: Workflow,
  workflow: Workflow,
): { camera?: string } {
  const [theirs, ours] = [template, workflow].map(({ when }) => when.params.cameras as string[] | undefined)
  const first = ours?.[0]
  if (typeof event.camera !== 'string' || first === undefined) return {}
  const same = ours?.includes(event.camera) || !theirs?.includes(event.camera)
  return same ? {} : { camera: first }
}

/**
 * The site on which a case happens: of cameras, people and lists every name is there, so that the file means what it
 * says; the lists are empty, and what else it names is the site's.
 */
function siteFor(workflow: Workflow, site: Site): SitePort {
  const mapped = selfMapped(workflow.needs?.destinations)
  const { roles, lists, people, personRoles, destinations } = mapped.view()
  return {
    timeZone: site.timeZone,
    version: 0,
    alertGate: site.alertGate,
    facts: '',
    list: name => mapped.list(name),
    rolesOf: id => mapped.rolesOf(id),
    cameraName: id => mapped.cameraName(id),
    camerasWithRole: role => mapped.camerasWithRole(role),
    zone: (id, name) => site.zone(site.camerasWithRole(id ?? '')[0] ?? null, name),
    toolMode: name => site.toolMode(name),
    person: name => site.person(name),
    view: slug => {
      const real = site.view(slug)
      const all = new Map([...destinations, ...real.destinations])
      return { ...real, roles, lists, people, personRoles, destinations: all }
    },
  }
}
