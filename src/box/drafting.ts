import { type DraftOutcome, draftWorkflow, type LanguageModel } from '../ai/index.ts'
import { eventSchemas, type Parsed, type Registry, registry } from '../contract/index.ts'
import { type Clock, GatehouseError } from '../core/index.ts'
import { type CameraScope, discreet } from '../engine/index.ts'
import { lacking, missing, type SitePort, type World, wanting } from '../kinds/index.ts'
import type { Site } from '../site/index.ts'

/** Longer ones are no sentences any more. */
export const LONGEST_SENTENCE = 2_000
/** All rounds of one draft: on a small box a model writes a few tokens a second. */
const TIME_MS = 10 * 60_000

export interface DrafterOptions {
  site: () => Site
  language: () => LanguageModel | null
  /** Why nothing is drafted here, in one line; null: it is. */
  barred: () => string | null
  /** Whether there is a model that investigates: else no draft does. */
  investigates: () => boolean
  /** Who is there to be asked. */
  world?: World
  check(yaml: string, scope: CameraScope): Pick<Parsed, 'workflow' | 'problems'>
  clock: Clock
  timeoutMs?: number
}

export type Drafted = Omit<Extract<DraftOutcome, { ok: true }>, 'ok'>

/** Workflows out of sentences, one at a time. Nothing is saved. */
export class Drafter {
  readonly #options: DrafterOptions
  #busy = false

  constructor(options: DrafterOptions) {
    this.#options = options
  }

  /**
   * A draft with its problems. `scope`: who asks sees these cameras; null: all. Rejects with `bad_sentence` (422), `not_passed`, `llm_down` (503), `draft_busy` (409),
   * `over_budget` (504) or `invalid_output` (502).
   */
  async draft(sentence: string, signal?: AbortSignal, scope: CameraScope = null): Promise<Drafted> {
    const { site, language, barred, investigates, world, check, clock, timeoutMs = TIME_MS } = this.#options
    const said = sentence.trim()
    if (!said || said.length > LONGEST_SENTENCE) {
      const how = `Say in 1 to ${LONGEST_SENTENCE} characters what the workflow is to do.`
      throw new GatehouseError('bad_sentence', how, { status: 422 })
    }
    const model = language()
    if (!model) {
      const how = 'Drafting needs a language model: name one under language in the site file.'
      throw new GatehouseError('llm_down', how, { status: 503 })
    }
    const why = barred()
    if (why !== null)
      throw new GatehouseError('not_passed', `${why.charAt(0).toUpperCase()}${why.slice(1)}.`, {
        status: 503,
      })
    if (this.#busy) {
      const how = 'Another workflow is being drafted: wait until that is done.'
      throw new GatehouseError('draft_busy', how, { status: 409 })
    }
    this.#busy = true
    try {
      const outcome = await draftWorkflow({
        sentence: said,
        site: discreet(site().view(), { scope, text: said, site: site() }),
        // They are the whole site's: what a model is told comes out again.
        facts: scope === null ? site().facts : '',
        language: model,
        registry: registryHere(investigates(), world, site()),
        events: eventSchemas(),
        check: yaml => check(yaml, scope),
        now: () => clock.now(),
        timeoutMs,
        ...(signal && { signal }),
      })
      return made(outcome)
    } finally {
      this.#busy = false
    }
  }
}

function made(outcome: DraftOutcome): Drafted {
  if (outcome.ok) {
    const { ok: _, ...drafted } = outcome
    return drafted
  }
  const { why, message } = outcome
  const [status, what] = {
    llm_down: [503, 'the language model gives no answer'],
    over_budget: [504, 'the draft took too long; say it in fewer words, or try again'],
    invalid_output: [502, 'no workflow came of it'],
  }[why] as [number, string]
  throw new GatehouseError(why, `Nothing was drafted: ${what} (${message}).`, { status })
}

/** What this version can run at a site: a draft is of nothing else. */
export function registryHere(
  investigates: boolean,
  world: World = {},
  site: Pick<SitePort, 'faces'> = {},
): Registry {
  const { triggers, conditions, steps, actions, tools } = registry()
  const runs = <K extends { kind: string }>(group: 'triggers' | 'steps' | 'actions', all: K[]) =>
    all.filter(({ kind }) => !Object.hasOwn(missing[group], kind) && wanting(group, kind, world) === null)
  return {
    triggers: runs('triggers', triggers),
    conditions,
    steps: runs('steps', steps),
    actions: runs('actions', actions),
    tools: investigates ? tools.filter(({ kind }) => lacking(kind, site) === null) : [],
  }
}
