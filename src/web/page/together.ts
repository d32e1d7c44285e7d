import { html } from 'htm/preact'
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { t } from './language.ts'

/** One that takes longer than this is not waited for. */
const PATIENCE_MS = 4_000

const Screen = createContext<{ waits(part: object): void; knows(part: object): void } | null>(null)

/** Parts of a screen that each ask the box: they are shown at once when all of them know, so that none pushes another away. */
export function Together({ children }: { children: ComponentChildren }) {
  const waiting = useRef(new Set<object>())
  const [shown, setShown] = useState(false)
  const look = () => waiting.current.size === 0 && setShown(true)
  const [screen] = useState({
    waits: (part: object) => waiting.current.add(part),
    knows: (part: object) => waiting.current.delete(part) && look(),
  })
  useLayoutEffect(() => {
    look()
    const timer = window.setTimeout(() => setShown(true), PATIENCE_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return html`
    <${Screen.Provider} value=${screen}>
      ${!shown && html`<p class="none">${t('app.loading')}</p>`}
      <div hidden=${!shown}>${children}</div>
    </${Screen.Provider}>
  `
}

/** Of a part: whether it knows by now what it shows, or why it cannot. */
export function useKnows(known: boolean): void {
  const screen = useContext(Screen)
  const [part] = useState({})
  useLayoutEffect(() => {
    if (!known) screen?.waits(part)
    return () => screen?.knows(part)
  }, [known])
}
