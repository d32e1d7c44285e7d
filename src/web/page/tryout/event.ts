import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { term } from '../language.ts'
import { Pictures } from '../picture.ts'
import { said } from '../said.ts'
import { Steps } from '../steps.ts'
import { Thumb } from '../thumb.ts'
import { clock, label, stepKind } from '../words.ts'
import type { ComparedEvent } from './watch.ts'
import { say, sayTerm } from './words.ts'

type Came = ComparedEvent['now']

interface EventProps {
  one: ComparedEvent
  /** There is a version in force to compare with. */
  compared: boolean
  zone: string
}

/** One event: what comes of it, what came of it by the version in force, and how. */
export function Event({ one, compared, zone }: EventProps) {
  const { event, now, saved, kept_out, flipped, trace } = one
  const [open, setOpen] = useState(false)
  return html`
    <div class=${`tried-one ${flipped ? 'turned' : ''}`}>
      <${Thumb} media=${event.picture} />
      <div class="what">
        <p class="headline">
          ${flipped && html`<span class="was">${say('tryout.was', { what: cameTo(saved) })}</span>`}
          <strong class=${now?.decision === 'unsure' ? 'unsure' : ''}>
            ${flipped ? say('tryout.is', { what: cameTo(now) }) : cameTo(now)}
          </strong>
          ${compared && flipped && html`<span class="tag differs">${say('tryout.differs')}</span>`}
        </p>
        ${now?.reason && html`<p class="reason">${said(now.reason)}</p>`}
        ${!now && kept_out && html`<p class="reason">${sayTerm(`kept_out.${kept_out.code}`) ?? said(kept_out.message)}</p>`}
        ${now?.asks && html`<p class="meta">${say('tryout.asks', { message: now.asks.message })}</p>`}
        <p class="meta">
          <time datetime=${event.at}>${clock(event.at, zone)}</time>
          ${event.camera && html`<span>${event.camera}</span>`}
          ${one.then?.run && html`<a href=${`/runs/${one.then.run}`}>${say('tryout.then')}</a>`}
        </p>
      </div>
      ${
        trace &&
        html`<details onToggle=${(toggled: { target: EventTarget | null }) => setOpen((toggled.target as HTMLDetailsElement).open)}>
          <summary>${say('tryout.how')}</summary>
          ${
            open &&
            html`
              ${trace.pictures.length > 0 && html`<${Pictures} run=${trace} />`}
              <${Steps} steps=${trace.steps} zone=${zone} />
            `
          }
        </details>`
      }
    </div>
  `
}

/** The decision; without one what is done. */
function cameTo(came: Came): string {
  if (!came) return say('tryout.no_run')
  if (came.decision !== null) return term('decision', came.decision) ?? label(came.decision)
  return [...new Set(came.effects.map(({ kind }) => stepKind(kind)))].join(', ') || say('tryout.nothing')
}
