import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { SIGNED_OUT } from './api.ts'
import { useAsked } from './asked.ts'
import { dropDrafts } from './drafts.ts'
import { Field, Whose } from './field.ts'
import { t } from './language.ts'
import { changePassword, getSignedIn, logout, type Session, signOutAt } from './session.ts'
import { clock } from './words.ts'

/** Oneself: the password, and where one is signed in. */
export function Account({ session, zone }: { session: Session; zone: string }) {
  const { found, problem, busy, doing } = useAsked(getSignedIn)
  const leave = () =>
    doing(
      logout()
        .then(dropDrafts)
        .finally(() => window.dispatchEvent(new Event(SIGNED_OUT))),
    )
  return html`
    <section aria-labelledby="you">
      <h2 id="you">${t('account.you', { name: session.name })}</h2>
      <ul class="entries">
        ${(found ?? []).map(
          it => html`
            <li key=${it.id}>
              <span>
                ${it.device ?? t('account.browser')}
                <span class="meta">${it.this ? t('account.here') : t('account.seen', { at: clock(it.seen_at, zone) })}</span>
              </span>
              ${
                it.this
                  ? html`<button type="button" disabled=${busy} onClick=${leave}>${t('account.sign_out')}</button>`
                  : html`<button type="button" disabled=${busy} onClick=${() => doing(signOutAt(it.id))}>
                      ${t('account.sign_out_there')}
                    </button>`
              }
            </li>
          `,
        )}
      </ul>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <${Password} name=${session.name} />
    </section>
  `
}

function Password({ name }: { name: string }) {
  const [password, setPassword] = useState('')
  const [next, setNext] = useState('')
  const [said, setSaid] = useState('')
  const [problem, setProblem] = useState('')
  const change = (event: Event) => {
    event.preventDefault()
    setSaid('')
    setProblem('')
    changePassword(password, next).then(
      () => {
        setPassword('')
        setNext('')
        setSaid(t('account.changed'))
      },
      (error: Error) => setProblem(error.message),
    )
  }
  return html`
    <details>
      <summary>${t('account.change')}</summary>
      <form class="door" onSubmit=${change}>
        <${Whose} name=${name} />
        <${Field}
          label=${t('account.present')}
          value=${password}
          set=${setPassword}
          type="password"
          autocomplete="current-password"
        />
        <${Field}
          label=${t('account.next')}
          value=${next}
          set=${setNext}
          type="password"
          autocomplete="new-password"
        />
        <button class="main">${t('account.do')}</button>
        <p role="status">${said}</p>
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      </form>
    </details>
  `
}
