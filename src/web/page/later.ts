import { html } from 'htm/preact'
import type { ComponentChildren, ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { t } from './language.ts'

interface LaterProps<P> {
  title: ComponentChildren
  load(): Promise<ComponentType<P>>
  /** Of what is loaded. */
  of: P
}

/** Something that is loaded when somebody opens it, behind a line. */
export function Later<P>({ title, load, of }: LaterProps<P>) {
  const [open, setOpen] = useState(false)
  // In a list, since a function would be called for the next state.
  const [loaded, setLoaded] = useState<[ComponentType<P>] | null>(null)
  const [problem, setProblem] = useState('')
  const toggle = (event: Event) => {
    const opened = (event.target as HTMLDetailsElement).open
    // What is inside opens and closes by itself.
    if (event.target !== event.currentTarget) return
    setOpen(opened)
    if (opened && !loaded)
      load().then(
        part => setLoaded([part]),
        (error: Error) => setProblem(error.message),
      )
  }
  const [Part] = loaded ?? []
  return html`
    <details class="later" onToggle=${toggle}>
      <summary>${title}</summary>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${open && !Part && !problem && html`<p class="meta">${t('app.loading')}</p>`}
      ${open && Part && html`<${Part} ...${of} />`}
    </details>
  `
}
