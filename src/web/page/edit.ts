import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Fix, Problem } from '../../contract/index.ts'
import { getWorkflow, type Refused } from './api.ts'
import { Built } from './built.ts'
import { Conflict } from './conflict.ts'
import type { Editor } from './editor/index.ts'
import { draftOf, type Kept, keepDraft, keepNew, keepVersion, problemsOf, validate } from './files.ts'
import { count, t } from './language.ts'
import { Barred, useMay, Within } from './may.ts'
import { go } from './navigate.ts'
import { Problems } from './problems.ts'
import type { State, Store } from './state.ts'
import { TryBeside } from './try-beside.ts'

/** How long somebody has to stop typing before the box is asked. */
const QUIET_MS = 400

/** The file of a workflow that is there. */
export function EditPage({ id, store, state }: { id: number; store: Store; state: State }) {
  const [file, setFile] = useState<string | null>(null)
  const [saved, setSaved] = useState('')
  // The version that what is being written was made from, and the one that was saved meanwhile.
  const over = useRef(0)
  const [theirs, setTheirs] = useState<{ version: number; file: string } | null>(null)
  const [problem, setProblem] = useState('')
  const [beyond, setBeyond] = useState<string | null>(null)
  const manages = useMay('manage') && beyond === null
  const name = state.workflows.find(it => it.id === id)?.name ?? t('workflow.title', { id })
  useEffect(() => {
    getWorkflow(id).then(
      ({ yaml, version, beyond: reach }) => {
        setBeyond(reach)
        const draft = draftOf(String(id))
        over.current = Number(draftOf(`${id}-over`) ?? version)
        if (draft === null || draft === yaml) over.current = version
        else if (over.current !== version) setTheirs({ version, file: yaml ?? '' })
        setFile(yaml ?? '')
      },
      (error: Error) => setProblem(error.message),
    )
  }, [id])
  useEffect(() => {
    document.title = `${t('editor.title', { name })} · Gatehouse`
  }, [name])
  const meet = async () => {
    const { version, yaml } = await getWorkflow(id)
    setTheirs({ version, file: yaml ?? '' })
  }
  const settled = () => {
    if (theirs) over.current = theirs.version
    setTheirs(null)
  }
  const keep = async (text: string) => {
    const { workflow } = await keepVersion(id, text, over.current).catch(async (error: Refused) => {
      if (error.code === 'changed_meanwhile') await meet()
      throw error
    })
    over.current = workflow.version
    setTheirs(null)
    store.keepWorkflow(workflow)
    setSaved(t('editor.saved', { n: workflow.version }))
  }
  return html`
    <p class="back"><a href=${`/workflows/${id}`}>‹ ${name}</a></p>
    <h1>${t('editor.title', { name })}</h1>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <${Within} beyond=${beyond}><${Barred} from="manage" /></${Within}>
    ${
      manages &&
      file !== null &&
      html`<${FileEditor}
        draft=${String(id)}
        file=${file}
        over=${over}
        keep=${keep}
        save=${t('editor.save')}
        theirs=${theirs}
        settled=${settled}
        id=${id}
        zone=${state.zone}
      />`
    }
    <p role="status">${saved}</p>
  `
}

/** A file that is no workflow yet. */
export function NewFile({ file, store }: { file: string; store: Store }) {
  const [taken, setTaken] = useState(false)
  const keep = async (text: string) => {
    const { workflow }: Kept = await keepNew(text, taken).catch((error: Refused) => {
      setTaken(error.code === 'name_taken')
      throw error
    })
    store.keepWorkflow(workflow)
    keepDraft('new', null)
    go(`/workflows/${workflow.id}`)
  }
  const save = t(taken ? 'editor.copy' : 'editor.save_new')
  return html`<${FileEditor} draft="new" file=${file} keep=${keep} save=${save} fresh />`
}

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
}

function FileEditor({
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
}: FileEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(null)
  const [base, setBase] = useState(file)
  const [text, setText] = useState(() => (fresh ? file : (draftOf(draft) ?? file)))
  const [problems, setProblems] = useState<Problem[] | null>(null)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const [kept] = useState(text !== file)

  useEffect(() => {
    let gone = false
    import('./editor/index.ts').then(
      module => {
        if (gone || !host.current) return
        editor.current = new module.Editor(host.current, {
          text,
          label: t('editor.label'),
          onChange: setText,
        })
        show(editor.current.check())
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
    if (!fresh) {
      keepDraft(draft, text === base ? null : text)
      keepDraft(`${draft}-over`, text === base || !over ? null : String(over.current))
    }
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

  const take = (mine: boolean) => {
    if (!theirs) return
    setBase(theirs.file)
    if (!mine) editor.current?.set(theirs.file)
    settled?.()
  }

  return html`
    <div class="file-editor">
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
      <${Built}
        text=${text}
        problems=${(problems ?? []).filter(({ severity }) => severity === 'error')}
        apply=${(fix: Fix) => editor.current?.apply(fix)}
        goTo=${(place: Pick<Problem, 'line' | 'column'>) => editor.current?.goTo(place)}
      />
      <div class="editor" ref=${host}></div>
      ${theirs && html`<${Conflict} theirs=${theirs} mine=${text} take=${take} />`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <p class="tools">
        <button type="button" class="main" disabled=${busy || !changed || errors > 0 || theirs !== null} onClick=${submit}>
          ${busy ? t('editor.saving') : save}
        </button>
        <span class="meta">${!changed ? t('editor.unchanged') : errors > 0 && count('editor.errors', errors)}</span>
      </p>
      <${Problems}
        problems=${problems}
        goTo=${(where: Problem) => editor.current?.goTo(where)}
        fix=${(found: Problem) => found.fix && editor.current?.apply(found.fix)}
      />
      <${TryBeside} id=${id ?? null} text=${text} errors=${errors} zone=${zone} />
    </div>
  `
}
