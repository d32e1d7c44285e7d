import { createHash } from 'node:crypto'
import { iso, mintSecret } from '../../core/index.ts'
import type { ApprovalView } from '../../engine/index.ts'
import { ownAddress, type Site } from '../../site/index.ts'
import type { Store } from '../../store/index.ts'
import type { LanePlan } from './lanes.ts'

/** Links that are told again at another try; of more, a try brings another one. */
const MOST_KNOWN = 1_000

interface AnswerLinksOptions {
  site: () => Site
  store: Store
}

/** What a link is for. */
interface AnswerLink {
  question: number
  /** As the site names them. */
  person: string
}

/**
 * Links by which one person answers one question without a login. They say who answers; the question itself is decided
 * once, so that all of its links are spent by the commit that decides it.
 */
export class AnswerLinks {
  readonly #options: AnswerLinksOptions
  /** Question and person → secret, so that every try of a message bears the same. */
  readonly #known = new Map<string, string>()

  constructor(options: AnswerLinksOptions) {
    this.#options = options
  }

  /** The secret of a link that holds while the question is open; null: nobody alone is told there, or it opens nothing. */
  async mint(question: ApprovalView, lane: LanePlan): Promise<string | null> {
    const { site, store } = this.#options
    const person = aloneAt(lane, site())
    if (person === null || site().reach.page === null) return null
    const key = `${question.id} ${person}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const secret = mintSecret()
    const row = { hash: hashOf(secret), approvalId: question.id, person }
    if (!(await store.write(() => store.answerLinks.add(row)))) return null
    const [oldest] = this.#known.keys()
    if (this.#known.size >= MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(key, secret)
    return secret
  }

  /** Null: there is none, or whose it was is not among the site's people any more. */
  find(secret: string): AnswerLink | null {
    const { site, store } = this.#options
    const row = store.answerLinks.byHash(hashOf(secret))
    if (!row || !site().reach.people.has(row.person)) return null
    return { question: row.approvalId, person: row.person }
  }

  /** The question of a link, as whoever has that link may see it. */
  view({ question }: AnswerLink): object | null {
    const { store, site } = this.#options
    const row = store.approvals.get(question)
    const run = row && store.runs.get(row.runId)
    if (!row || !run) return null
    return {
      workflow: store.workflows.get(run.workflowId)?.name ?? '',
      camera: run.cameraId === null ? null : (site().cameraName(run.cameraId) ?? run.cameraId),
      message: row.message,
      parts: row.parts,
      replies: row.replies.map(({ reply, effects }) => ({
        reply,
        default: reply === row.defaultReply,
        effects,
      })),
      status: row.status,
      answer: row.answer,
      answered_by: row.answeredBy,
      deadline: iso(row.deadline),
    }
  }
}

/** Who alone hears what is told by a lane: at an address of their own, which others do not read. */
function aloneAt({ channel, at, people, direct }: LanePlan, site: Site): string | null {
  const setting = site.reach.channels.get(channel)
  const [one, ...more] = new Set(people.map(({ name }) => name))
  if (!setting || one === undefined || more.length || direct) return null
  if (at === null || at === ownAddress(setting)) return null
  // Whoever guesses the name of a topic reads it, unless its server asks who they are.
  if (setting.kind === 'ntfy') return setting.token === null ? null : one
  return setting.kind === 'smtp' || setting.kind === 'home_assistant' ? one : null
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
