/** What an AI step looks at: a word, or frames or a text with what belongs to them. */
import { html } from 'htm/preact'
import type { Json } from '../../../../contract/index.ts'
import { say } from '../words.ts'
import { Choice, Duration, Single } from './single.ts'

interface InputProps {
  id: string
  label: string
  hint?: string
  value: Json | undefined
  set(value: Json): void
}

type JsonMap = { [key: string]: Json }

const FRESH: Readonly<Record<string, Json>> = {
  picture: 'picture',
  frames: { frames: { count: 4, over: '2s' } },
  text: { text: '{message}' },
  event: 'event',
}

export function Input({ id, label, hint, value, set }: InputProps) {
  const map = value !== null && typeof value === 'object' && !Array.isArray(value) ? value : null
  const chosen = map ? (Object.keys(map)[0] ?? null) : typeof value === 'string' ? value : null
  const inner = chosen !== null && map ? map[chosen] : undefined
  const frames = (
    inner !== null && typeof inner === 'object' && !Array.isArray(inner) ? inner : {}
  ) as JsonMap
  return html`
    <${Choice}
      id=${id}
      label=${label}
      hint=${hint}
      value=${chosen}
      words=${['picture', 'frames', 'text', 'event'].map(word => [word, say(`input.${word as 'text'}`)])}
      set=${(next: string | null) => next !== chosen && set(next === null ? null : (FRESH[next] ?? next))}
      required
    />
    ${
      chosen === 'frames' &&
      map &&
      html`
        <${Single} id=${`${id}-count`} label=${say('input.count')} is="number" min=${1} max=${16} step=${1} value=${frames.count ?? null} set=${(next: Json) => set({ frames: { ...frames, count: next } })} />
        <${Duration} id=${`${id}-over`} label=${say('input.over')} value=${typeof frames.over === 'string' ? frames.over : null} set=${(next: string | null) => set({ frames: { ...frames, over: next } })} />
      `
    }
    ${chosen === 'text' && map && html`<${Single} id=${`${id}-text`} label=${say('input.which_text')} long value=${inner ?? null} set=${(next: Json) => set({ text: next ?? '' })} />`}
  `
}
