import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { useAsked } from './asked.ts'
import { Field } from './field.ts'
import { getTokens, makeToken, type Session, takeBack } from './session.ts'
import { clock } from './words.ts'

const WORDS: Record<string, string> = {
  read: 'Read workflows, runs and pictures',
  approve: 'Answer questions, as you',
  'workflows.press': 'Press buttons, as you',
  'workflows.message': 'Write to workflows, and read what they answer',
  'workflows.manage': 'Change workflows',
  'events.write': 'Hand in events',
  'site.manage': "Change the site's rules and lists",
}

/** What programs show instead of a password. */
export function Tokens({ session, zone }: { session: Session; zone: string }) {
  const all = session.may.includes('users.manage')
  const { found, problem, busy, doing } = useAsked(() => getTokens(all))
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>(['read'])
  const [made, setMade] = useState('')
  const make = async (event: Event) => {
    event.preventDefault()
    const token = await doing(makeToken(name, chosen))
    if (!token) return
    setName('')
    setMade(token.token)
  }
  const toggle = (scope: string) =>
    setChosen(chosen.includes(scope) ? chosen.filter(each => each !== scope) : [...chosen, scope])
  return html`
    <section aria-labelledby="tokens">
      <h2 id="tokens">Programs</h2>
      <ul class="entries">
        ${(found?.tokens ?? []).map(
          it => html`
            <li key=${it.id}>
              <span>
                <strong>${it.name}</strong>
                <span class="meta">
                  as ${it.user}: ${it.scopes.join(', ')};
                  ${it.used_at ? `last used ${clock(it.used_at, zone)}` : 'never used'}${
                    it.expires_at ? `, until ${clock(it.expires_at, zone)}` : ''
                  }
                </span>
              </span>
              <button type="button" disabled=${busy} onClick=${() => doing(takeBack(it.id))}>Take back</button>
            </li>
          `,
        )}
      </ul>
      ${
        made &&
        html`<p class="attention" role="status">
          <strong>Copy it now: it is shown this once.</strong> <code>${made}</code>
          <button type="button" onClick=${() => setMade('')}>Done</button>
        </p>`
      }
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <details>
        <summary>Make a token for a program</summary>
        <form class="door" onSubmit=${make}>
          <${Field} label="What it is for" value=${name} set=${setName} placeholder="Home Assistant" />
          <fieldset>
            <legend>It may</legend>
            ${(found?.scopes ?? []).map(
              scope => html`
                <label key=${scope}>
                  <input type="checkbox" checked=${chosen.includes(scope)} onChange=${() => toggle(scope)} />
                  ${WORDS[scope] ?? scope}
                </label>
              `,
            )}
          </fieldset>
          <button class="main" disabled=${busy}>Make it</button>
        </form>
      </details>
    </section>
  `
}
