import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { type ApprovalView, answer, getApprovals, pictureUrl } from './api.ts'
import { t } from './language.ts'
import { Barred, useMay } from './may.ts'
import { left, type Question, whom } from './questions.ts'
import type { State, Store } from './state.ts'
import { clock, stepKind } from './words.ts'

/** What waits for somebody's answer, and below it what was answered a moment ago. */
export function Inbox({ store, state }: { store: Store; state: State }) {
  const { questions, zone } = state
  const open = questions.filter(({ status }) => status === 'open')
  const decided = questions.filter(({ status }) => status !== 'open').slice(0, 3)
  if (!open.length && !decided.length) return null
  return html`
    <section class="inbox" aria-labelledby="inbox">
      <h2 id="inbox">
        ${t('inbox.title')} ${open.length > 0 && html`<span class="tag waiting">${t('inbox.open', { n: open.length })}</span>`}
      </h2>
      ${
        open.length > 0 &&
        html`<ul class="questions">
          ${open.map(it => html`<li key=${it.id}><${Ask} question=${it} store=${store} linked /></li>`)}
        </ul>`
      }
      ${
        decided.length > 0 &&
        html`<ul class="decided" aria-label=${t('inbox.answered')}>
          ${decided.map(it => html`<li key=${it.id}><${Decided} question=${it} zone=${zone} /></li>`)}
        </ul>`
      }
    </section>
  `
}

/** One open question: its picture, its message, and what each reply sets going. `linked`: leads to its run. */
export function Ask({ question, store, linked }: { question: Question; store: Store; linked: boolean }) {
  const [busy, setBusy] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const may = useMay('approve')
  const now = useNow()
  const ms = Math.max(0, (question.ends ?? now) - now)
  const whole = Date.parse(question.deadline) - Date.parse(question.asked_at)
  const late = ms === 0

  const choose = async (reply: string) => {
    setBusy(reply)
    setProblem('')
    try {
      store.keepQuestion(await answer(question.id, reply))
    } catch (error) {
      setProblem((error as Error).message)
      // Somebody was faster, perhaps: the box says who.
      const { approvals } = await getApprovals().catch(() => ({ approvals: [] }))
      for (const view of approvals) if (view.id === question.id) store.keepQuestion(view)
    }
    setBusy(null)
  }

  const { pictures, workflow } = question
  // On the page of its run the picture is there already, and larger.
  const [picture] = linked ? pictures.slice(-1) : []
  return html`
    <article class=${`asking ${picture === undefined ? 'bare' : ''}`} aria-label=${question.message}>
      ${picture !== undefined && html`<${Shown} media=${picture} run=${question.run} />`}
      <div class="asked">
        <p class="meta">
          <a href=${`/workflows/${workflow.id}`}>${workflow.name}</a>
          ${question.camera !== null && html`<span>${question.camera_name ?? question.camera}</span>`}
          <span>${t('inbox.asks', { who: whom(question.who) })}</span>
          ${question.seen_again > 0 && html`<span>${t('inbox.seen_again', { n: question.seen_again })}</span>`}
        </p>
        <p class="message"><${Message} question=${question} /></p>
        ${question.by_ai && html`<p class="byai">${t('inbox.by_ai')}</p>`}
        <p class=${`left ${ms < 10_000 ? 'soon' : ''}`} role="timer">
          <span class="bar"><span style=${{ width: `${whole > 0 ? Math.min(100, (ms / whole) * 100) : 0}%` }} /></span>
          ${left(ms)}
        </p>
        <div class="replies">
          ${question.replies.map(
            reply => html`
              <button
                type="button"
                key=${reply.reply}
                class=${reply.effects.some(({ effect }) => effect === 'move') ? 'moves' : ''}
                disabled=${!may || busy !== null || late}
                onClick=${() => choose(reply.reply)}
              >
                <strong>${busy === reply.reply ? t('inbox.answering') : reply.reply}</strong>
                <${Effects} reply=${reply} />
              </button>
            `,
          )}
        </div>
        <${Barred} from="approve" />
        ${
          question.stands_still !== null &&
          html`<p class="attention"><strong>${t('inbox.moves_nothing_now')}</strong> ${question.stands_still}</p>`
        }
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        ${linked && html`<p class="more"><a href=${`/runs/${question.run}`}>${t('inbox.show_run')}</a></p>`}
      </div>
    </article>
  `
}

/** What the box found behind a reply. */
export function Effects({ reply }: { reply: ApprovalView['replies'][number] }) {
  const lines = reply.effects.map(({ path, effect, action, target, detail, certain }) => {
    const verb =
      effect === 'move'
        ? t(certain ? 'inbox.moves' : 'inbox.may_move')
        : t(certain ? 'inbox.tells' : 'inbox.may_tell')
    return html`
      <span key=${path} class=${`effect ${effect}`}>
        <b>${verb}</b> ${stepKind(action)}${target && `: ${target}`}
        ${detail && html`${' '}<code>${detail}</code>`}
      </span>
    `
  })
  return html`
    ${lines.length ? lines : html`<span class="effect">${t('inbox.moves_nothing')}</span>`}
    ${reply.default && html`<span class="effect">${t('inbox.default')}</span>`}
  `
}

/** What is asked; what a model or somebody outside wrote of it is marked. */
export function Message({
  question: { parts, message },
}: {
  question: Pick<ApprovalView, 'parts' | 'message'>
}) {
  if (!parts.length) return html`${message}`
  return html`${parts.map((part, i) =>
    part.by_ai
      ? html`<span key=${i} class="ai">${part.text}</span>`
      : html`<span key=${i}>${part.text}</span>`,
  )}`
}

function Shown({ media, run }: { media: number; run: number }) {
  const [gone, setGone] = useState(false)
  if (gone) return html`<div class="shown gone"><p>${t('inbox.gone')}</p></div>`
  return html`
    <a class="shown" href=${`/runs/${run}`}>
      <img src=${pictureUrl(media)} alt=${t('inbox.camera_saw')} onError=${() => setGone(true)} />
    </a>
  `
}

/** A question that is decided, in one line: by whom, and when. */
function Decided({ question, zone }: { question: Question; zone: string }) {
  const { run, message, decided_at } = question
  return html`
    <a class="verdict" href=${`/runs/${run}`}>
      <span class="said">${verdict(question)}</span>
      <span class="question">${message}</span>
      ${decided_at !== null && html`<time datetime=${decided_at}>${clock(decided_at, zone)}</time>`}
    </a>
  `
}

/** `Let in · Ann`, `Nobody answered: Refuse`. */
export function verdict({
  status,
  answer: reply,
  answered_by,
}: Pick<ApprovalView, 'status' | 'answer' | 'answered_by'>): string {
  if (status === 'answered') return `${reply} · ${answered_by}`
  if (status === 'stopped') return t('inbox.stopped')
  return reply === null ? t('inbox.nobody') : t('inbox.nobody_so', { answer: reply })
}

/** The time, once a second and a bit more often, so that no second is skipped. */
function useNow(): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 250)
    return () => window.clearInterval(timer)
  }, [])
  return now
}
