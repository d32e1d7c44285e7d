import type { Workflow } from '../../contract/index.ts'
import { type Clock, GatehouseError, type IncomingEvent, type Picture } from '../../core/index.ts'
import type { Cameras, SitePort } from '../../kinds/index.ts'
import type { Replay } from '../ports.ts'
import type { RunView, TemplateOutcome, TemplateTried } from '../types.ts'
import type { Shadows } from './shadow.ts'

/** A case that comes with a template. */
export interface TemplateCase {
  /** For people: what is shown in it. */
  name: string
  /** Epoch ms. */
  at: number
  /** As it starts this file. */
  event: IncomingEvent
  /** What cameras show when they are asked, by role. */
  cameras: ReadonlyMap<string, Picture>
  /** What tools answered when it was recorded; absent: each is at work. */
  replay?: Replay
  /** What the last AI step decides. */
  expected: string
}

/** The cases of a template. */
export interface TemplateSet {
  /** Its file. */
  name: string
  /** The template as it ships. */
  workflow: Workflow
  /** A site on which the template and what was made of it mean themselves. */
  siteFor(workflow: Workflow): SitePort
  /** Those that rest on what a model is recorded to say are left out: here it is asked, also where tools are replayed. */
  casesFor(workflow: Workflow): Promise<TemplateCase[]>
}

/** There was no time left: nothing is said of it. */
export const NOT_RUN = 'not_run'

/** Nobody judged: that says nothing of how it is judged. */
const NOBODY: ReadonlySet<string | null> = new Set(['llm_down', 'over_budget', 'vision_down'])

/** What a file makes of the cases of its template; `left`: the time that there is for it, ms. */
export async function tryTemplate(
  set: TemplateSet,
  { yaml, workflow }: { yaml: string; workflow: Workflow },
  shadows: Shadows,
  left: () => number,
): Promise<TemplateOutcome> {
  const tried: TemplateTried[] = []
  const site = set.siteFor(workflow)
  for (const one of await set.casesFor(workflow))
    tried.push(await tryCase(one, { yaml, site }, shadows, left()))
  return { name: set.name, tried, flipped: tried.filter(({ flipped }) => flipped).length }
}

async function tryCase(
  { name, at, event, cameras, replay, expected }: TemplateCase,
  { yaml, site }: { yaml: string; site: SitePort },
  shadows: Shadows,
  left: number,
): Promise<TemplateTried> {
  if (left <= 0) return caseCame(null, { name, expected })
  const world = {
    startedAt: at,
    site,
    cameras: (clock: Clock) => shown(cameras, clock),
    ...(replay && { replay }),
  }
  const came = await shadows.play(yaml, event, left, world).catch((error: unknown) => {
    // A file that does not hold on the site of a case says nothing of how it judges.
    if (error instanceof GatehouseError) return { code: error.code, message: error.message }
    throw error
  })
  return caseCame(came, { name, expected })
}

/** What came of a case, held against what is expected of its last AI step; null: it was not done in time. */
export function caseCame(
  came: RunView | { code: string; message: string } | null,
  { name, expected }: { name: string; expected: string },
): TemplateTried {
  const keptOut = (code: string, message: string): TemplateTried => ({
    ...{ case: name, expected, decision: null, reason: null, flipped: null },
    kept_out: { code, message },
  })
  if (came === null) return keptOut(NOT_RUN, 'Not run: there was no time left for it.')
  if ('code' in came) return keptOut(came.code, came.message)
  const judged = came.steps.findLast(({ kind }) => kind === 'ai')
  const inputs = judged?.inputs as { decision?: string[] } | null | undefined
  if (!judged) return keptOut('no_match', 'No AI step was come to.')
  if (NOBODY.has(judged.unsure_reason))
    return keptOut(judged.unsure_reason ?? '', judged.reason ?? 'Nobody judged it.')
  if (expected !== 'unsure' && !inputs?.decision?.includes(expected))
    return keptOut('no_match', `It has no decision “${expected}” any more.`)
  const { outcome: decision, reason } = judged
  return { case: name, expected, decision, reason, kept_out: null, flipped: decision !== expected }
}

/** Each camera shows its picture, taken just now. Where there is one picture only, whatever camera is asked shows it. */
function shown(pictures: ReadonlyMap<string, Picture>, clock: Clock): Cameras {
  return {
    snapshot: async cameraId => {
      const [first] = pictures.values()
      const picture = pictures.get(cameraId) ?? (pictures.size === 1 ? first : undefined)
      if (!picture) throw new GatehouseError('camera_offline', `${cameraId} is not in this case`)
      return { ...picture, takenAt: clock.now() }
    },
  }
}
