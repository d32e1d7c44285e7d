import { type Decision, type UnsureReason, undecided } from '../../ai/index.ts'
import { fill, placeholdersIn } from '../../contract/index.ts'
import { cut, type JsonValue, messageOf } from '../../core/index.ts'
import { siteClock, type Values } from '../../kinds/index.ts'
import type { Store } from '../../store/index.ts'
import type { EngineDeps } from '../ports.ts'
import type { Node } from '../program.ts'
import { askedOf, type Provider } from '../providers.ts'
import type { Ended, Run, RunPicture } from '../run.ts'
import { decidedEnd } from './decided.ts'
import { type LookParams, NoZone, specOf } from './look-spec.ts'
import { picturesFor } from './pictures.ts'

const LOOK_MS = 120_000
/** Of a text that is judged. */
const LONGEST_TEXT = 16_000
/** What a Look that does not keep its time gets on top before it is given up. */
const GRACE_MS = 5_000

/** A finished AI step and the model calls behind it. */
export interface Looked {
  ended: Ended
  decision: Decision
  /** The picture that was judged. */
  media: number | null
  /** Calls that are not kept yet. */
  trace: Decision['trace']
  /** It judged pictures itself. */
  looks: boolean
  /** Whom it asks what it neither measures nor knows; absent: the language model. */
  asked?: Provider
}

/** Looks once. Whatever goes wrong is the outcome `unsure` with its reason; only a store that fails rejects. */
export async function runAi(run: Run, node: Node, stepId: number, deps: EngineDeps): Promise<Looked> {
  const params = filled(node.step.params as LookParams, run)
  const { limits } = run.loaded
  const now = deps.clock.now()
  const full = limits.aiFull(now)
  if (full !== null) return ended(undecided('over_budget', full), params, [])
  limits.ai.add(now)
  const site = deps.site()
  const seconds = params.limits?.seconds
  const timeoutMs = seconds === undefined ? (deps.options?.lookMs ?? LOOK_MS) : seconds * 1000
  let found: Awaited<ReturnType<typeof picturesFor>>
  try {
    found = await picturesFor(run, stepId, params, site, deps)
  } catch (error) {
    if (isStoreFailure(error)) throw error
    return ended(undecided('no_picture', messageOf(error)), params, [])
  }
  const { pictures, cameraId } = found
  // Broken off while the pictures were read: nobody would hear of it any more.
  if (run.signal.aborted) return ended(undecided('over_budget', 'the Look was broken off'), params, pictures)
  try {
    const spec = specOf(params, cameraId, site)
    const input = {
      pictures: pictures.map(each => each.picture),
      values: plain(run.values, params.prompt),
      facts: site.facts,
      clock: siteClock(deps.clock.now(), site),
      text: textFor(params.input, run),
      ...(params.input === 'event' && { event: run.facts.event }),
    }
    const decision = await within(timeoutMs + GRACE_MS, deps, () =>
      deps.look(spec, input, { timeoutMs, signal: run.signal, now: () => deps.clock.now() }),
    )
    return { ...ended(decision, params, pictures), asked: askedOf(input, deps) }
  } catch (error) {
    const known = error instanceof TooLate ? 'over_budget' : error instanceof NoZone ? 'no_picture' : null
    const reason: UnsureReason = known ?? 'vision_down'
    if (known === null) {
      deps.log.error({ run: run.id, error: messageOf(error) }, 'a Look failed')
    }
    return ended(undecided(reason, messageOf(error)), params, pictures)
  }
}

/** Keeps the calls behind a Look. Inside of a commit. */
export function storeTrace(stepId: number, trace: Decision['trace'], { toolCalls }: Store): void {
  const unknown = { argsAsked: null, mode: null, tokensIn: null, tokensOut: null }
  for (const call of trace) toolCalls.insert({ stepId, ...unknown, ...call })
}

/** The text that is judged. Filled once: what it holds is data. */
function textFor(input: LookParams['input'], run: Run): string | null {
  return typeof input === 'object' && 'text' in input ? cut(fill(input.text, run.values), LONGEST_TEXT) : null
}

/**
 * What the prompt names first, then the latest value under each name; `trigger.plate` and `look.company` say the same
 * twice, and are there only where they are named.
 */
export function plain(values: Values, prompt: string): Values {
  const named = placeholdersIn(prompt).filter(name => Object.hasOwn(values, name))
  const rest = Object.entries(values).filter(([name]) => !name.includes('.'))
  return Object.fromEntries([...named.map(name => [name, values[name] ?? null] as const), ...rest])
}

/** `look_at` may hold a placeholder; the prompt keeps its own: they name keys of the data. */
function filled(params: LookParams, run: Run): LookParams {
  const { look_at: lookAt } = params
  return lookAt === undefined ? params : { ...params, look_at: fill(lookAt, run.values) }
}

function ended(decision: Decision, params: LookParams, pictures: RunPicture[]): Looked {
  const media = pictures.at(-1)?.media ?? null
  const end = decidedEnd(decision, params.decision, judged => evidenceOf(judged, pictures))
  return { ...end, media, trace: end.decision.trace, looks: true }
}

function evidenceOf(decision: Decision, pictures: RunPicture[]): JsonValue {
  const seen = new Map(decision.evidence.pictures.map(each => [each.index, each.seen]))
  return pictures.map(({ media }, index) => ({
    media,
    seen: (seen.get(index) ?? null) as unknown as JsonValue,
  }))
}

class TooLate extends Error {
  constructor(ms: number) {
    super(`no answer within ${Math.round(ms / 1000)} s`)
  }
}

async function within<T>(ms: number, { clock }: EngineDeps, work: () => Promise<T>): Promise<T> {
  let cancel = () => {}
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(ms, () => reject(new TooLate(ms)))
  })
  try {
    return await Promise.race([work(), late])
  } finally {
    cancel()
  }
}

export function isStoreFailure(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return code === 'disk_full' || code === 'store_failed' || code === 'store_closed'
}
