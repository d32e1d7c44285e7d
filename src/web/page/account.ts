import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { SIGNED_OUT } from './api.ts'
import { useAsked } from './asked.ts'
import { Field, Whose } from './field.ts'
import { changePassword, getSignedIn, logout, type Session, signOutAt } from './session.ts'
import { clock } from './words.ts'

/** Oneself: the password, and where one is signed in. */
export function Account({ session, zone }: { session: Session; zone: string }) {
  const { found, problem, busy, doing } = useAsked(getSignedIn)
  const leave = () => doing(logout().finally(() => window.dispatchEvent(new Event(SIGNED_OUT))))
  return html`
    <section aria-labelledby="you">
      <h2 id="you">You: ${session.name}</h2>
      <ul class="entries">
        ${(found ?? []).map(
          it => html`
            <li key=${it.id}>
              <span>
                ${it.device ?? 'A browser'}
                <span class="meta">${it.this ? 'here' : `last seen ${clock(it.seen_at, zone)}`}</span>
              </span>
              ${
                it.this
                  ? html`<button type="button" disabled=${busy} onClick=${leave}>Sign out</button>`
                  : html`<button type="button" disabled=${busy} onClick=${() => doing(signOutAt(it.id))}>
                      Sign out there
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
        setSaid('Changed. Everywhere else you are signed out.')
      },
      (error: Error) => setProblem(error.message),
    )
  }
  return html`
    <details>
      <summary>Change your password</summary>
      <form class="door" onSubmit=${change}>
        <${Whose} name=${name} />
        <${Field}
          label="Present password"
          value=${password}
          set=${setPassword}
          type="password"
          autocomplete="current-password"
        />
        <${Field}
          label="New password, 10 characters or more"
          value=${next}
          set=${setNext}
          type="password"
          autocomplete="new-password"
        />
        <button class="main">Change it</button>
        <p role="status">${said}</p>
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      </form>
    </details>
  `
}
