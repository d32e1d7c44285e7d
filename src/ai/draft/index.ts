import { exportYaml, type Parsed, type Problem, type SiteView } from '../../contract/index.ts'
import { messageOf } from '../../core/index.ts'
import { type ChatMessage, LanguageError, type LanguageModel } from '../language.ts'
import type { Usage } from '../types.ts'
import { type FormNames, formOf, TIGHT, WIDE } from './form.ts'
import { grammarOf } from './grammar.ts'
import { type Draft, type DraftWords, opening, repair } from './messages.ts'
import { readDraft } from './read.ts'

export interface Drafting extends DraftWords {
  /** What is wanted, up to `LONGEST_SENTENCE` characters; what is longer is cut. */
  sentence: string
  /** The site it is for; null: none is known. */
  site: SiteView | null
  /** What the site's owner wrote about it. */
  facts: string
  language: LanguageModel
  /** What is wrong with a file here. */
  check(yaml: string): Pick<Parsed, 'workflow' | 'problems'>
  now(): number
  /** All rounds together, ms. */
  timeoutMs: number
  signal?: AbortSignal
}

/** A draft, which nobody has saved; or why there is none. */
export type DraftOutcome = { usage: Usage; model: string } & (
  | {
      ok: true
      /** In Test, with nobody by name. */
      yaml: string
      problems: Problem[]
      /** How often it was written again. */
      rounds: number
    }
  | { ok: false; why: 'llm_down' | 'over_budget' | 'invalid_output'; message: string }
)

/** How often a draft is given back. */
const MOST_ROUNDS = 2
const TOKENS = { wide: 3_000, tight: 2_500 }

/**
 * Writes a workflow out of a sentence: the language model under a grammar made of what is registered, then the
 * contract's check, and up to two rounds with what it found. Never rejects.
 */
export async function draftWorkflow(drafting: Drafting): Promise<DraftOutcome> {
  const { language, check, now, site } = drafting
  const started = now()
  const usage: Usage = { modelCalls: 0, ms: 0, tokensIn: 0, tokensOut: 0 }
  const names = namesOf(site)
  const start = opening(drafting.sentence, drafting, {
    ...names,
    destinations: Object.fromEntries(
      names.destinations.map(name => [name, site?.destinations.get(name) ?? 'move']),
    ),
    facts: drafting.facts,
  })
  let best: Draft | null = null
  let rounds = 0
  let messages = start
  let unread = false
  let failed: { why: 'llm_down' | 'over_budget' | 'invalid_output'; message: string } = {
    why: 'invalid_output',
    message: `${language.name} wrote no workflow: say it in fewer words, or use a larger model`,
  }
  for (let round = 0; round <= MOST_ROUNDS; round++) {
    const timeoutMs = started + drafting.timeoutMs - now()
    if (timeoutMs <= 0) {
      failed = { why: 'over_budget', message: `there was no time left to ask ${language.name}` }
      break
    }
    let text: string
    try {
      text = await ask(drafting, messages, { names, unread, round, timeoutMs }, usage)
    } catch (error) {
      if (error instanceof LanguageError && error.failure === 'malformed') text = ''
      else {
        failed = failureOf(error)
        break
      }
    }
    rounds = round
    const raw = readDraft(text)
    unread = raw === null
    const draft = raw === null ? null : checked(raw, check, site)
    if (draft && (!best || errorsOf(draft) < errorsOf(best))) best = draft
    if (best && errorsOf(best) === 0) break
    messages = [...start, ...repair(text, draft)]
  }
  usage.ms = now() - started
  const about = { usage, model: language.name }
  return best ? { ok: true, ...about, ...best, rounds } : { ok: false, ...about, ...failed }
}

async function ask(
  { language, registry, events, signal }: Drafting,
  messages: readonly ChatMessage[],
  how: { names: FormNames; unread: boolean; round: number; timeoutMs: number },
  usage: Usage,
): Promise<string> {
  const size = how.unread ? TIGHT : WIDE
  const schemas = events.map(({ schema }) => schema)
  const most = how.unread ? TOKENS.tight : TOKENS.wide
  usage.modelCalls++
  const { text, tokensIn, tokensOut } = await language.chat({
    messages,
    // Names of the site stand in the data alone: some servers read the schema out to their model.
    schema: formOf(registry, null, schemas, size),
    grammar: grammarOf(formOf(registry, how.names, schemas, size), { ascii: how.unread }),
    temperature: 0,
    seed: how.round + 1,
    maxTokens: Math.min(most, Math.floor((language.contextTokens ?? 4 * most) / 2)),
    timeoutMs: how.timeoutMs,
    ...(signal && { signal }),
  })
  usage.tokensIn += tokensIn
  usage.tokensOut += tokensOut
  return text
}

/** In the contract's own writing where it can be read so far; its problems are of the text that is shown. */
function checked(raw: string, check: Drafting['check'], site: SiteView | null): Draft {
  const { workflow, problems } = check(raw)
  if (!workflow) return { yaml: raw, problems }
  const yaml = exportYaml(workflow, site ?? undefined)
  return { yaml, problems: check(yaml).problems }
}

const errorsOf = ({ problems }: Draft) => problems.filter(({ severity }) => severity === 'error').length

function failureOf(error: unknown): { why: 'llm_down' | 'over_budget'; message: string } {
  const late = error instanceof LanguageError && (error.failure === 'timeout' || error.failure === 'aborted')
  return { why: late ? 'over_budget' : 'llm_down', message: messageOf(error) }
}

function namesOf(site: SiteView | null): FormNames {
  const sorted = (names: Iterable<string> = []) => [...names].sort().slice(0, 40)
  return {
    cameras: sorted(site?.roles),
    lists: sorted(site?.lists),
    roles: sorted(site?.personRoles),
    destinations: sorted(site?.destinations.keys()),
  }
}
