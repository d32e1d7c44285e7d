import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { blobOf } from '../../api.ts'
import { say } from './api.ts'

/** How often a picture is asked for while somebody looks at it. */
const EVERY_MS = 10_000

interface StillProps {
  id: string
  name: string
  size?: 'small' | 'large'
  /** Asked for once, and again when this changes; absent: again and again, while it is to be seen. */
  once?: number
  /** What came of each look: why there is no picture, or null. */
  looked?(problem: string | null): void
  /** Why there is no picture is said elsewhere, not in its place. */
  quiet?: boolean
  /** Drawn over it. */
  children?: ComponentChildren
}

/** What a camera shows now. Nobody is asked for what nobody sees. */
export function Still({ id, name, size = 'small', once, looked, quiet = false, children }: StillProps) {
  const place = useRef<HTMLDivElement>(null)
  const [url, setUrl] = useState('')
  const [problem, setProblem] = useState('')
  const [ratio, setRatio] = useState(() => ratioOf(id))

  useEffect(() => {
    let gone = false
    let timer: number | undefined
    let visible = false
    let asking = false
    let shown = ''
    const show = (next: string) => {
      if (shown) URL.revokeObjectURL(shown)
      shown = next
      setUrl(next)
    }
    const wanted = () => !gone && visible && document.visibilityState === 'visible'
    const look = async () => {
      window.clearTimeout(timer)
      if (!wanted() || asking) return
      asking = true
      const found = await blobOf(`/cameras/${encodeURIComponent(id)}/picture?size=${size}`).catch(
        (error: Error) => error,
      )
      asking = false
      if (gone) return
      looked?.(found instanceof Error ? found.message : null)
      if (found instanceof Error) setProblem(found.message)
      else {
        setProblem('')
        show(URL.createObjectURL(found))
      }
      if (once === undefined) timer = window.setTimeout(look, EVERY_MS)
    }
    const watcher = new IntersectionObserver(([entry]) => {
      visible = entry?.isIntersecting ?? false
      if (visible && (once === undefined || !shown)) look()
    })
    if (place.current) watcher.observe(place.current)
    const back = () => once === undefined && look()
    document.addEventListener('visibilitychange', back)
    return () => {
      gone = true
      window.clearTimeout(timer)
      watcher.disconnect()
      document.removeEventListener('visibilitychange', back)
      if (shown) URL.revokeObjectURL(shown)
    }
  }, [id, size, once])

  const measured = (event: Event) => {
    const { naturalWidth, naturalHeight } = event.target as HTMLImageElement
    if (!naturalWidth || !naturalHeight) return
    setRatio(naturalWidth / naturalHeight)
    keepRatio(id, naturalWidth / naturalHeight)
  }
  return html`
    <div ref=${place} class=${`still ${size}`} style=${size === 'large' ? { aspectRatio: String(ratio) } : {}}>
      ${url && html`<img src=${url} alt=${say('still.of', { name })} onLoad=${measured} />`}
      ${!url && (!problem || quiet ? html`<${Nothing} asking=${!problem} />` : html`<p>${problem}</p>`)}
      ${url && problem && !quiet && html`<p class="over">${problem}</p>`}
      ${children}
    </div>
  `
}

/** The shape of a camera's picture is known from the last time: nothing jumps when it comes. */
function ratioOf(id: string): number {
  try {
    return Number(sessionStorage.getItem(`gatehouse-ratio-${id}`)) || 16 / 9
  } catch {
    return 16 / 9
  }
}

function keepRatio(id: string, ratio: number): void {
  try {
    sessionStorage.setItem(`gatehouse-ratio-${id}`, String(ratio))
  } catch {
    // Then it is found out again.
  }
}

function Nothing({ asking }: { asking: boolean }) {
  return html`
    <svg class="nothing" viewBox="0 0 24 24" aria-hidden="true">
      <path d=${asking ? 'M4 8h3l1.5-2h7L17 8h3v10H4z' : 'M4 8h3l1.5-2h7L17 8h3v10H4zM4 4l16 16'} />
    </svg>
    ${asking && html`<span class="unseen">${say('still.asking')}</span>`}
  `
}
