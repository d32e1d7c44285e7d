import { type Parsed, type Problem, parse, reread, type Workflow } from '../contract/index.ts'
import { missingIn, type SitePort, toolsWithout, type World } from '../kinds/index.ts'
import { discreet } from './discreet.ts'
import { hasAi } from './learn/judge.ts'
import type { CameraScope } from './reach.ts'
import { slugOf } from './slug.ts'
import { type BoxSpeed, tooSlow } from './too-slow.ts'

/** What a file is checked against. */
export interface CheckOptions {
  /** Names the file in its problems. */
  file?: string
  /** Absent: the file stands alone. */
  site?: Pick<SitePort, 'view' | 'toolMode' | 'faces' | 'rolesOf' | 'camerasWithRole' | 'cameraName'>
  /** Who is told what is wrong sees these cameras; absent or null: all. */
  scope?: CameraScope
  /** Why nothing investigates here; null: it does. Absent: there is no language model. */
  investigate?: string | null
  /** Who is there to be asked. */
  world?: World
  /** Of the stored workflow that this becomes a version of; absent: a new one gets it out of its name. */
  slug?: string
  /** How quick the box is that it is meant for; absent or null: not known. */
  speed?: BoxSpeed | null
  /** Whether another workflow has a slug already. */
  taken?: (slug: string) => boolean
}

/**
 * Everything that is wrong with a file here: what the contract says, and as warnings what this version cannot run
 * yet and what saving does otherwise than the file says.
 */
export function check(yaml: string, options: CheckOptions = {}): Parsed {
  const { file, site, scope = null, taken = () => false } = options
  // The site may trust a workflow by its slug: a new one is looked at under the slug that it is going to get.
  const slug = options.slug ?? slugOf(site ? (reread(yaml)?.name ?? '') : '', taken)
  const view = site && discreet(site.view(slug), { scope, text: yaml, site })
  const parsed = parse(yaml, { ...(file !== undefined && { file }), ...(view && { site: view }) })
  const { workflow } = parsed
  return workflow
    ? { ...parsed, problems: [...parsed.problems, ...notes(workflow, parsed, options)] }
    : parsed
}

function notes(workflow: Workflow, { locate }: Parsed, options: CheckOptions): Problem[] {
  const { file, site, investigate, speed, world } = options
  const warn = (code: string, path: string, message: string): Problem => {
    const { line, column } = locate(path)
    return { severity: 'warning', ...(file !== undefined && { file }), line, column, path, code, message }
  }
  const notYet = [
    ...missingIn(workflow, {
      ...(investigate !== undefined && { investigate }),
      ...(world && { world }),
    }).map(({ sentence, path }) =>
      warn('not_yet', path, `It cannot be run here: ${sentence}. It can be stored, and waits.`),
    ),
    ...toolsWithout(workflow, site).map(({ path, tool, why }) =>
      warn('tool_unavailable', path, `It goes without ${tool}: ${why}.`),
    ),
  ]
  const slow = speed
    ? tooSlow(workflow, speed).map(({ sentence, path }) => warn('too_slow_here', path, sentence))
    : []
  if (workflow.state !== 'on' || !hasAi(workflow)) return [...notYet, ...slow]
  const why =
    'What AI decides is looked at in Test first: it arrives in Test, set it On when you have seen it.'
  return [...notYet, ...slow, warn('arrives_in_test', 'state', why)]
}
