import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Diff } from '../diff.ts'
import { t } from '../language.ts'
import { askFirst } from '../navigate.ts'
import { Sure } from '../sure.ts'
import type { Editing } from './editing.ts'
import { say } from './words.ts'

interface SaveBarProps<T> {
  editing: Editing<T>
  /** As people read it, line by line: what was saved meanwhile, and what is here. */
  texts(theirs: T, mine: T): [string, string]
  /** Both as one; null: both changed the same. */
  both?(base: T, mine: T, theirs: T): T | null
  /** How much is changed, in a few words. */
  sum?: string
  /** Why it cannot be saved as it is; empty: it can. */
  wrong?: string
}

/** What is written and not saved: to save or to discard, with what somebody else saved meanwhile. */
export function SaveBar<T>({ editing, texts, both, sum, wrong = '' }: SaveBarProps<T>) {
  const { changed, theirs, busy, problem, saved, kept } = editing
  const [leave, setLeave] = useState<(() => void) | null>(null)
  useEffect(() => (changed ? askFirst(go => setLeave(() => go)) : undefined), [changed])
  return html`
    ${kept && html`<p class="hint">${say('kept')}</p>`}
    ${theirs && html`<${Meanwhile} editing=${editing} texts=${texts} both=${both} />`}
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      changed &&
      !theirs &&
      html`<p class="save-bar">
        <span>${sum ?? say('unsaved')}</span>
        ${wrong && html`<span class="unsure">${wrong}</span>`}
        <button type="button" onClick=${editing.discard}>${say('discard')}</button>
        <button
          type="button"
          class="main"
          disabled=${busy || wrong !== ''}
          onClick=${editing.save}
        >
          ${say('save')}
        </button>
      </p>`
    }
    <p class="saved" role="status">${saved !== null && say('saved', { n: saved })}</p>
    ${
      leave &&
      html`<${Sure}
        title=${say('leave.title')}
        act=${say('leave.go')}
        not=${say('leave.stay')}
        doing=${leave}
        done=${() => setLeave(null)}
      >
        <p>${say('leave.why')}</p>
      </${Sure}>`
    }
  `
}

/** Both are shown, and nothing is lost before one is chosen. */
function Meanwhile<T>({ editing, texts, both }: Pick<SaveBarProps<T>, 'editing' | 'texts' | 'both'>) {
  const { theirs, value, base } = editing
  const section = useRef<HTMLElement>(null)
  // It may lie below what is being written.
  useEffect(() => section.current?.scrollIntoView({ block: 'nearest' }), [])
  if (!theirs || value === null || base === null) return null
  const [before, after] = texts(theirs.value, value)
  const joined = both?.(base, value, theirs.value) ?? null
  return html`
    <section ref=${section} class="attention conflict" role="alert" aria-labelledby="meanwhile">
      <h2 id="meanwhile">${t('conflict.title', { n: theirs.version })}</h2>
      <p>${t('conflict.why')}</p>
      <${Diff} before=${before} after=${after} />
      <p class="tools">
        ${
          joined !== null &&
          html`<button type="button" onClick=${() => editing.take(joined)}>${say('both')}</button>`
        }
        <button type="button" onClick=${() => editing.take(value)}>${t('conflict.mine')}</button>
        <button type="button" onClick=${() => editing.take(theirs.value)}>
          ${t('conflict.theirs', { n: theirs.version })}
        </button>
      </p>
    </section>
  `
}
