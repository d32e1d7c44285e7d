import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Fix, Problem } from '../../contract/index.ts'
import type { Refused } from './api.ts'
import { Conflict } from './conflict.ts'
import type { Editor } from './editor/index.ts'
import { draftOf, keepDraft, problemsOf, validate } from './files.ts'
import { count, t } from './language.ts'
import { Problems } from './problems.ts'
import { TryBeside } from './try-beside.ts'
import { useView, Views } from './views.ts'

/** How long somebody has to stop typing before the box is asked. */
const QUIET_MS = 400

interface FileEditorProps {
  /** Where what is not saved is kept meanwhile. */
  draft: string
  file: string
  /** Rejects with what the box has against it. */
  keep(text: string): Promise<void>
  save: string
  /** Nothing of it is saved yet. */
  fresh?: boolean
  /** The version that it is made from. */
  over?: { current: number }
  /** What somebody else saved meanwhile. */
  theirs?: { version: number; file: string } | null
  /** Theirs was looked at: what is saved from now on is meant to follow it. */
  settled?(): void
  /** The workflow that it is of; absent: of none yet. */
  id?: number
  zone?: string
  /** What was kept last, in words. */
  saved?: string
}

/** A file that is being written, as a flow of cards and as its text: both show one document. */
export function FileEditor({
  draft,
  file,
  keep,
  save,
  fresh = false,
  over,
  theirs = null,
  settled,
  id,
  zone,
  saved = '',
}: FileEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(null)
  const [builder, setBuilder] = useState<typeof import('./builder/index.ts') | null>(null)
  const [view, setView] = useView()
  const [base, setBase] = useState(file)
  const [text, setText] = useState(() => (fresh ? file : (draftOf(draft) ?? file)))
  const [problems, setProblems] = useState<Problem[] | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const [kept] = useState(text !== file)

  useEffect(() => {
    let gone = false
    Promise.all([import('./editor/index.ts'), import('./builder/index.ts')]).then(
      ([module, building]) => {
        if (gone || !host.current) return
        editor.current = new module.Editor(host.current, {
          text,
          label: t('editor.label'),
          onChange: setText,
        })
        show(editor.current.check())
        setBuilder(building)
      },
      (error: Error) => setProblem(error.message),
    )
    return () => {
      gone = true
      editor.current?.close()
    }
  }, [])

  const show = (found: Problem[]) => {
    setProblems(found)
    editor.current?.show(found)
  }
  useEffect(() => {
    // A new file that was begun before stays until it is saved, or another one is begun.
    if (text !== base || !fresh) keepDraft(draft, text === base ? null : text)
    keepDraft(`${draft}-over`, text === base || !over ? null : String(over.current))
    if (editor.current) show(editor.current.check())
    // What the site has of it the box alone knows.
    const timer = window.setTimeout(() => {
      validate(text).then(
        found => editor.current?.text === text && show(found),
        () => undefined,
      )
    }, QUIET_MS)
    return () => window.clearTimeout(timer)
  }, [text, base])

  const errors = (problems ?? []).filter(({ severity }) => severity === 'error').length
  const changed = fresh || text !== base
  const submit = async () => {
    setBusy(true)
    setProblem('')
    try {
      await keep(text)
      setBase(text)
      keepDraft(draft, null)
      keepDraft(`${draft}-over`, null)
    } catch (error) {
      const { code, message } = error as Refused
      if (code !== 'changed_meanwhile') setProblem(message)
      const found = problemsOf(error)
      if (found.length) show(found)
    }
    setBusy(false)
  }

  const goTo = (place: Pick<Problem, 'line' | 'column'>) => {
    setView('text')
    // Once it is there to be focused.
    requestAnimationFrame(() => editor.current?.goTo(place))
  }
  const take = (mine: boolean) => {
    if (!theirs) return
    setBase(theirs.file)
    if (!mine) editor.current?.set(theirs.file)
    settled?.()
  }

  return html`
    ${!builder && !problem && html`<p class="none">${t('editor.loading')}</p>`}
    <div class="file-editor" hidden=${!builder && !problem}>
      ${kept && !fresh && changed && html`<p class="hint">${t('editor.kept')}</p>`}
      <p class="tools">
        <button type="button" onClick=${() => editor.current?.undo()}>${t('editor.undo')}</button>
        <button type="button" onClick=${() => editor.current?.redo()}>${t('editor.redo')}</button>
        ${
          !fresh &&
          html`<button type="button" disabled=${!changed} onClick=${() => editor.current?.set(base)}>
            ${t('editor.discard')}
          </button>`
        }
      </p>
      <${Views} view=${view} set=${setView} />
      <div hidden=${view !== 'builder'}>
        ${
          builder &&
          html`<${builder.Builder}
                text=${text}
                problems=${problems}
                live=${() => editor.current?.text ?? text}
                change=${(next: string) => editor.current?.change(next)}
                fix=${(fix: Fix) => editor.current?.apply(fix)}
                undo=${() => editor.current?.undo()}
                toText=${(path: string) => goTo(editor.current?.locate(path) ?? { line: 1, column: 1 })}
              />`
        }
      </div>
      <div class="editor" ref=${host} hidden=${view !== 'text'}></div>
      ${theirs && html`<${Conflict} theirs=${theirs} mine=${text} take=${take} />`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p class="tools keeps">
        <button type="button" class="main" disabled=${busy || !changed || errors > 0 || theirs !== null} onClick=${submit}>
          ${busy ? t('editor.saving') : save}
        </button>
        <span role="status">${!changed && saved}</span>
        ${!changed && saved && html`<a href=${`/workflows/${id}`}>${t('editor.see')}</a>`}
        <span class="meta">${!changed ? t('editor.unchanged') : errors > 0 && count('editor.errors', errors)}</span>
      </p>
      <${Problems}
        problems=${problems}
        goTo=${goTo}
        fix=${(found: Problem) => found.fix && editor.current?.apply(found.fix)}
        here
      />
      <${TryBeside} id=${id ?? null} text=${text} errors=${errors} zone=${zone} />
    </div>
  `
}
