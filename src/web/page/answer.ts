import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { type ApprovalView, ask } from './api.ts'
import { Effects, Message, verdict } from './inbox.ts'
import { t } from './language.ts'
import { left } from './questions.ts'

/** A question as whoever has a link to it may see it. */
type Linked = Pick<
  ApprovalView,
  'camera' | 'message' | 'parts' | 'replies' | 'status' | 'answer' | 'answered_by' | 'deadline'
> & { workflow: string; you: string }

/** The secret of the link by which the page was opened; from then on no address shows it. Null: it was by no link. */
export function takeLink(): string | null {
  const link = /^\/answer\/([\w-]{20,100})$/.exec(location.pathname)?.[1] ?? null
  if (link !== null) history.replaceState(null, '', '/')
  return link
}

/** One question, for whoever was sent the link to it: nothing is decided before they press a reply. */
export function AnswerPage({ link }: { link: string }) {
  const [question, setQuestion] = useState<Linked | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)

  const look = () => post<Linked>('/answer/question', { link }).then(setQuestion)
  useEffect(() => {
    document.title = 'Gatehouse'
    look().catch((error: Error) => setProblem(error.message))
  }, [link])

  const choose = async (reply: string) => {
    setBusy(true)
    setProblem('')
    await post('/answer', { link, reply }).catch((error: Error) => setProblem(error.message))
    await look().catch(() => undefined)
    setBusy(false)
  }

  return html`
    <main class="doorstep">
      <h1>${question?.workflow ?? 'Gatehouse'}</h1>
      ${question && html`<${Asked} question=${question} busy=${busy} choose=${choose} />`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    </main>
  `
}

function Asked({ question, busy, choose }: { question: Linked; busy: boolean; choose(reply: string): void }) {
  const { camera, status, replies, deadline, you } = question
  return html`
    <div class="asked">
      ${camera !== null && html`<p class="meta">${camera}</p>`}
      <p class="message"><${Message} question=${question} /></p>
      ${question.parts.some(part => part.by_ai) && html`<p class="byai">${t('inbox.by_ai')}</p>`}
      ${
        status === 'open'
          ? html`
              <p class="left">${left(Date.parse(deadline) - Date.now())}</p>
              <div class="replies">
                ${replies.map(
                  reply => html`
                    <button type="button" key=${reply.reply} disabled=${busy} onClick=${() => choose(reply.reply)}>
                      <strong>${reply.reply}</strong>
                      <${Effects} reply=${reply} />
                    </button>
                  `,
                )}
              </div>
              <p class="meta">${t('answer.as', { name: you })}</p>
            `
          : html`<p role="status"><strong>${verdict(question)}</strong></p>`
      }
    </div>
  `
}

const post = <T>(path: string, body: object): Promise<T> =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
