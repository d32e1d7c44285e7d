import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { useAsked } from './asked.ts'
import { Field } from './field.ts'
import { t, term } from './language.ts'
import { getTokens, makeToken, type Session, type Token, takeBack } from './session.ts'
import { Sure } from './sure.ts'
import { clock } from './words.ts'

/** What programs show instead of a password. */
export function Tokens({ session, zone }: { session: Session; zone: string }) {
  const all = session.may.includes('users.manage')
  const { found, problem, busy, doing } = useAsked(() => getTokens(all))
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<string[]>(['read'])
  const [made, setMade] = useState('')
  const [sure, setSure] = useState<Token | null>(null)
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
      <h2 id="tokens">${t('tokens.title')}</h2>
      <ul class="entries">
        ${(found?.tokens ?? []).map(
          it => html`
            <li key=${it.id}>
              <span>
                <strong>${it.name}</strong>
                <span class="meta">
                  ${t('tokens.as', { user: it.user, scopes: it.scopes.map(scope => term('scope', scope) ?? scope).join(', ') })}${' '}
                  ${it.used_at ? t('tokens.used', { at: clock(it.used_at, zone) }) : t('tokens.unused')}${
                    it.expires_at ? t('tokens.until', { at: clock(it.expires_at, zone) }) : ''
                  }
                </span>
              </span>
              <button type="button" disabled=${busy} onClick=${() => setSure(it)}>${t('tokens.take_back')}</button>
            </li>
          `,
        )}
      </ul>
      ${
        sure &&
        html`<${Sure}
          title=${t('tokens.take_back_sure', { name: sure.name })}
          act=${t('tokens.take_back')}
          danger
          doing=${() => takeBack(sure.id)}
          done=${() => {
            setSure(null)
            doing(Promise.resolve())
          }}
        >
          <p>${t('tokens.take_back_why')}</p>
        </${Sure}>`
      }
      ${
        made &&
        html`<p class="attention" role="status">
          <strong>${t('tokens.copy')}</strong> <code>${made}</code>
          <button type="button" onClick=${() => setMade('')}>${t('tokens.done')}</button>
        </p>`
      }
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <details>
        <summary>${t('tokens.make')}</summary>
        <form class="door" onSubmit=${make}>
          <${Field} label=${t('tokens.what_for')} value=${name} set=${setName} placeholder="Home Assistant" />
          <fieldset>
            <legend>${t('tokens.may')}</legend>
            ${(found?.scopes ?? []).map(
              scope => html`
                <label key=${scope}>
                  <input type="checkbox" checked=${chosen.includes(scope)} onChange=${() => toggle(scope)} />
                  ${term('tokens', scope) ?? scope}
                </label>
              `,
            )}
          </fieldset>
          <button class="main" disabled=${busy}>${t('tokens.do_make')}</button>
        </form>
      </details>
    </section>
  `
}
