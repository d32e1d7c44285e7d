import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { getWorkflow, type Refused } from './api.ts'
import { FileEditor } from './file-editor.ts'
import { draftOf, type Kept, keepDraft, keepNew, keepVersion } from './files.ts'
import { t } from './language.ts'
import { Barred, useMay, Within } from './may.ts'
import { go } from './navigate.ts'
import type { State, Store } from './state.ts'

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
        saved=${saved}
      />`
    }
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
