import { html } from 'htm/preact'
import { useContext, useEffect, useState } from 'preact/hooks'
import { useAsked } from '../asked.ts'
import { useSeesAll, Who } from '../may.ts'
import { Sure } from '../sure.ts'
import { useKnows } from '../together.ts'
import { label } from '../words.ts'
import { getMode, setMode } from './api.ts'
import { say } from './words.ts'

/** How often it is looked at. */
const LOOK_MS = 10_000

/** The mode that the site is in; whoever may sets another, and is asked before: it arms or disarms. */
export function ModeNow() {
  const { found, problem, doing } = useAsked(getMode)
  const [to, setTo] = useState<string | null>(null)
  const { may } = useContext(Who)
  const seesAll = useSeesAll()
  useKnows(found !== null || problem !== '')
  useEffect(() => {
    // Workflows, the NVR and others set it, too.
    const timer = window.setInterval(() => doing(Promise.resolve()), LOOK_MS)
    return () => window.clearInterval(timer)
  }, [])
  const sets = may.includes('site.mode') && seesAll
  if (!found) return problem ? html`<p class="problem" role="alert">${problem}</p>` : null
  const why = say(found.kept_by === 'nvr' ? 'mode.nvr' : 'mode.box')
  return html`
    <section aria-labelledby="mode-now">
      <h2 id="mode-now">${say('mode.title')}</h2>
      ${
        sets && found.modes.length > 1
          ? html`<fieldset class="modes">
            <legend class="unseen">${say('mode.title')}</legend>
            ${found.modes.map(
              mode => html`
                <label key=${mode}>
                  <input
                    type="radio"
                    name="mode"
                    value=${mode}
                    checked=${(to ?? found.mode) === mode}
                    onChange=${() => setTo(mode)}
                  />
                  <span>${label(mode)}</span>
                </label>
              `,
            )}
          </fieldset>`
          : html`<p><strong>${label(found.mode)}</strong></p>`
      }
      <p class="meta">${sets ? why : say('mode.who')}</p>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${
        to !== null &&
        to !== found.mode &&
        html`<${Sure}
          title=${say('mode.set_title', { mode: label(to) })}
          act=${say('mode.set')}
          doing=${async () => {
            await setMode(to)
            await doing(Promise.resolve())
          }}
          done=${() => setTo(null)}
        >
          <p>${say('mode.from', { mode: label(found.mode) })} ${why}</p>
        </${Sure}>`
      }
    </section>
  `
}
