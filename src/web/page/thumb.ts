import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { pictureUrl } from './api.ts'

/** A small picture; where there is none, or none that can be shown, a calm sign in its place. */
export function Thumb({ media }: { media: number | null }) {
  const [broken, setBroken] = useState(false)
  if (media !== null && !broken)
    return html`
      <img
        class="thumb"
        src=${pictureUrl(media)}
        alt=""
        loading="lazy"
        decoding="async"
        onError=${() => setBroken(true)}
      />
    `
  return html`
    <span class="thumb">
      <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 8h3l1.5-2h7L17 8h3v10H4zM4 4l16 16" /></svg>
    </span>
  `
}
