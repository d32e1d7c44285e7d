import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import type { Seen, TextLine } from '../../vision/index.ts'
import { pictureUrl, type RunView } from './api.ts'
import { thingsOf } from './groups.ts'
import { t } from './language.ts'
import { Thumb } from './thumb.ts'

interface Shown {
  media: number
  source: string
  seen: Seen | null
}

/** The pictures of a run, each once, with what was seen in it. */
function shownOf(run: RunView): Shown[] {
  const seen = new Map<number, Seen>()
  for (const step of run.steps)
    for (const evidence of step.evidence)
      if (evidence.media !== null && isSeen(evidence.seen)) seen.set(evidence.media, evidence.seen)
  const all = new Map<number, Shown>()
  for (const { media, source } of run.pictures)
    all.set(media, { media, source, seen: seen.get(media) ?? null })
  for (const [media, what] of seen) if (!all.has(media)) all.set(media, { media, source: '', seen: what })
  // What was judged comes first.
  return [...all.values()].sort((a, b) => Number(b.seen !== null) - Number(a.seen !== null))
}

function isSeen(value: unknown): value is Seen {
  const seen = value as Partial<Seen> | null
  return typeof seen === 'object' && seen !== null && Number(seen.width) > 0 && Number(seen.height) > 0
}

/** The picture, large, with boxes and texts drawn over it; smaller ones below where there are more. */
export function Pictures({ run }: { run: RunView }) {
  const shown = shownOf(run)
  const [chosen, setChosen] = useState<number | null>(null)
  const [marks, setMarks] = useState(true)
  const current = shown.find(({ media }) => media === chosen) ?? shown[0]
  if (!current) return null
  const { seen } = current
  const found = seen ? seen.detections.length + (seen.lines?.length ?? 0) : 0
  return html`
    <figure class="picture">
      <${Frame} key=${current.media} shown=${current} marks=${marks} />
      <figcaption>
        <span>${describe(seen)}</span>
        ${
          found > 0 &&
          html`<button type="button" aria-pressed=${marks} onClick=${() => setMarks(!marks)}>
            ${t(marks ? 'picture.hide' : 'picture.show')}
          </button>`
        }
      </figcaption>
      ${
        shown.length > 1 &&
        html`<div class="others" role="group" aria-label=${t('picture.all')}>
          ${shown.map(
            ({ media }, i) => html`
              <button
                type="button"
                key=${media}
                aria-pressed=${media === current.media}
                aria-label=${t('picture.one_of', { i: i + 1, n: shown.length })}
                onClick=${() => setChosen(media)}
              >
                <${Thumb} media=${media} />
              </button>
            `,
          )}
        </div>`
      }
    </figure>
  `
}

function Frame({ shown: { media, seen }, marks }: { shown: Shown; marks: boolean }) {
  const [gone, setGone] = useState('')
  const [width, height] = seen ? [seen.width, seen.height] : [4, 3]
  // The room is there before the picture is: nothing jumps. No taller than most of the screen.
  const room = { aspectRatio: `${width} / ${height}`, maxWidth: `calc(72vh * ${width / height})` }
  if (gone) return html`<div class="frame gone" style=${room}><p>${gone}</p></div>`
  return html`
    <div class="frame" style=${room}>
      <img src=${pictureUrl(media)} alt=${describe(seen)} onError=${() => whyNot(media).then(setGone)} />
      ${seen && marks && html`<${Marks} seen=${seen} />`}
    </div>
  `
}

/** Why the browser shows nothing: the box says whether it has the picture. */
async function whyNot(media: number): Promise<string> {
  const status = await fetch(pictureUrl(media), { method: 'HEAD' }).then(
    response => response.status,
    () => 0,
  )
  if (status === 404) return t('inbox.gone')
  return t(status === 200 ? 'picture.damaged' : 'picture.unread')
}

/** Shapes as SVG in the picture's own pixels; words as HTML, so that they stay readable at every size. */
function Marks({ seen }: { seen: Seen }) {
  const { width, height, detections, lines } = seen
  const things = thingsOf(detections)
  const at = (x: number, y: number) => {
    const below = y / height < 0.08
    return {
      left: `${clamp(x / width) * 100}%`,
      top: `${clamp(y / height) * 100}%`,
      transform: below ? 'none' : 'translateY(-100%)',
    }
  }
  return html`
    <div class="marks" aria-hidden="true">
      <svg viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="none">
        ${things.map(
          ({ box: [x1, y1, x2, y2] }, i) =>
            html`<rect key=${i} class="box" x=${x1} y=${y1} width=${x2 - x1} height=${y2 - y1} />`,
        )}
        ${(lines ?? []).map(({ quad }, i) => html`<polygon key=${i} class="quad" points=${quad.join(' ')} />`)}
      </svg>
      ${(lines ?? []).map(
        (line, i) => html`<span key=${i} class="word text" style=${under(line, at)}>${line.text}</span>`,
      )}
      ${things.map(
        ({ labels, box }, i) => html`
          <span key=${i} class="word object" style=${at(box[0], box[1])}>${labels.join(t('picture.or'))}</span>
        `,
      )}
    </div>
  `
}

/** Texts are named under their place, so that the place itself can still be read. */
function under({ quad }: TextLine, at: (x: number, y: number) => { left: string; top: string }) {
  const { left, top } = at(Math.min(quad[0], quad[6]), Math.max(quad[5], quad[7]))
  return { left, top }
}

const clamp = (share: number) => Math.min(Math.max(share, 0), 1)

/** What is in the picture, as a sentence: the caption, and what a screen reader says. */
export function describe(seen: Seen | null): string {
  if (!seen) return t('picture.not_looked')
  const counts = new Map<string, number>()
  for (const { labels } of thingsOf(seen.detections)) {
    const name = labels.join(t('picture.or'))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const objects = [...counts].map(([label, count]) => (count === 1 ? `1 ${label}` : `${count} × ${label}`))
  const texts = (seen.lines ?? []).map(({ text }) => `“${text}”`)
  const parts = [objects.join(', '), texts.length ? t('picture.text', { what: texts.join(' ') }) : ''].filter(
    part => part,
  )
  return parts.length ? t('picture.seen', { what: parts.join(' · ') }) : t('picture.nothing')
}
