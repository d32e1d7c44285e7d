import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { t } from './language.ts'

interface SureProps {
  title: string
  /** On the button that does it. */
  act: string
  /** On the one that does not. */
  not?: string
  /** There is nothing that could be done. */
  off?: boolean
  /** It takes something away. */
  danger?: boolean
  /** Rejects with what the box has against it. */
  doing(): Promise<unknown> | unknown
  /** The dialog is gone, whatever was pressed. */
  done(): void
  children?: ComponentChildren
}

/** Asks before something is done that is not easily taken back. */
export function Sure({ title, act, not, off = false, danger = false, doing, done, children }: SureProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  useEffect(() => dialog.current?.showModal(), [])
  const press = async () => {
    setBusy(true)
    setProblem('')
    try {
      await doing()
      dialog.current?.close()
    } catch (error) {
      setProblem((error as Error).message)
      setBusy(false)
    }
  }
  return html`
    <dialog ref=${dialog} class="ask-live" aria-labelledby=${id} onClose=${done}>
      <h2 id=${id}>${title}</h2>
      ${children}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p class="choices">
        <button type="button" class=${danger ? 'danger' : 'main'} disabled=${busy || off} onClick=${press}>${act}</button>
        <button type="button" onClick=${() => dialog.current?.close()}>${not ?? t('live.no')}</button>
      </p>
    </dialog>
  `
}
