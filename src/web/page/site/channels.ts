import { html } from 'htm/preact'
import { label } from '../words.ts'
import type { InForce } from './api.ts'
import { TryOut } from './try-out.ts'
import { say, sayTerm } from './words.ts'

/** By whom people are told, as the site file says. */
export function Channels({ channels }: { channels: InForce['channels'] }) {
  return html`
    <section aria-labelledby="channels">
      <h2 id="channels">${say('channels.title')}</h2>
      <p class="meta">${say('channels.about')}</p>
      ${!channels.length && html`<p class="none">${say('channels.none')}</p>`}
      <ul class="entries">
        ${channels.map(
          ({ name, kind, people }) => html`
            <li key=${name}>
              <span>
                <strong>${label(name)}</strong>
                <span class="meta">
                  ${sayTerm(`channel.${kind}`) ?? kind}
                  <span>${people.length ? people.map(label).join(', ') : say('channels.nobody')}</span>
                </span>
              </span>
              <${TryOut} folder="channels" name=${name} says=${say('try.channel')} />
            </li>
          `,
        )}
      </ul>
    </section>
  `
}

interface App {
  id: string
  name: string
  actions: { name: string; label: string; effect: 'tell' | 'move' }[]
}

/** What apps of the NVR do when they are asked, by the class that is in force. */
export function Apps({ apps }: { apps: unknown }) {
  const all = apps as App[]
  if (!all.length) return null
  return html`
    <section aria-labelledby="apps">
      <h2 id="apps">${say('apps.title')}</h2>
      <p class="meta">${say('apps.about')}</p>
      <ul class="entries">
        ${all.map(
          ({ id, name, actions }) => html`
            <li key=${id}>
              <span>
                <strong>${name}</strong>
                ${actions.map(
                  it => html`
                    <span key=${it.name} class=${`meta ${it.effect === 'move' ? 'unsure' : ''}`}>
                      ${it.label}: ${say(`does.${it.effect}`)}
                    </span>
                  `,
                )}
              </span>
            </li>
          `,
        )}
      </ul>
    </section>
  `
}
