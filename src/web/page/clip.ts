import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { pictureUrl, type RunView } from './api.ts'
import { t } from './language.ts'
import { clock, megabytes } from './words.ts'

type Clip = RunView['clips'][number]

/** What was recorded for a run. */
export function Clips({ run, zone }: { run: RunView; zone: string }) {
  return html`
    <section class="clips" aria-label=${t('clip.all')}>
      ${run.clips.map(clip => html`<${Player} key=${clip.media} clip=${clip} zone=${zone} />`)}
    </section>
  `
}

function Player({ clip: { media, source, taken_at, bytes }, zone }: { clip: Clip; zone: string }) {
  const [problem, setProblem] = useState('')
  const title = [source, taken_at && clock(taken_at, zone)].filter(Boolean).join(', ')
  const whyNot = () => setProblem(t('clip.unplayable'))
  return html`
    <figure class="picture">
      ${
        problem
          ? html`<p class="none">${problem}</p>`
          : html`<video
              src=${pictureUrl(media)}
              aria-label=${t('clip.of', { what: title })}
              controls
              muted
              playsinline
              preload="metadata"
              onError=${whyNot}
            ></video>`
      }
      <figcaption>
        <span>${title}</span>
        <a href=${pictureUrl(media)} download=${`clip-${media}.mp4`}>${t('clip.download', { size: megabytes(bytes) })}</a>
      </figcaption>
    </figure>
  `
}
