import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { getRuns, getWorkflow, type RunSummary, start, type WorkflowTrust, type WorkflowView } from './api.ts'
import { Drawn } from './drawn.ts'
import { Snooze } from './holds.ts'
import { Attention } from './home.ts'
import { t } from './language.ts'
import { Later } from './later.ts'
import { Accuracy } from './learned.ts'
import { Barred, useMay, Within } from './may.ts'
import { Message } from './message.ts'
import { go } from './navigate.ts'
import { Runs } from './runs.ts'
import { said as inWords } from './said.ts'
import { type State, type Store, withRun } from './state.ts'
import { StateSwitch } from './switch.ts'
import { Versions } from './versions.ts'
import { clock, trigger } from './words.ts'

/** One workflow: its state, a way to try it, its runs and its file. */
export function WorkflowPage({ id, store, state }: { id: number; store: Store; state: State }) {
  const [file, setFile] = useState<string | null>(null)
  const [runs, setRuns] = useState<RunSummary[]>([])
  const [trust, setTrust] = useState<WorkflowTrust | null>(null)
  const [beyond, setBeyond] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  const workflow = state.workflows.find(it => it.id === id)
  const version = workflow?.version
  const manages = useMay('manage') && beyond === null
  const presses = useMay('press')

  useEffect(() => {
    const failed = (error: Error) => setProblem(error.message)
    getWorkflow(id).then(({ yaml, trust: learnt, beyond: reach, ...view }) => {
      setFile(yaml)
      setBeyond(reach)
      setTrust(learnt)
      store.keepWorkflow(view)
    }, failed)
    getRuns({ workflow: id }).then(page => setRuns(page.runs), failed)
  }, [id, version])

  const name = workflow?.name ?? t('workflow.title', { id })
  useEffect(() => {
    document.title = `${name} · Gatehouse`
  }, [name])

  if (!workflow)
    return html`
      <p class="back"><a href="/">‹ ${t('workflow.back')}</a></p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : html`<p class="none">${t('app.loading')}</p>`}
    `
  // What the stream brought since is newer than what was asked for.
  const shown = state.runs.filter(run => run.workflow.id === id).reduce(withRun, runs)
  const button = workflow.trigger === 'button'
  const canTry = workflow.hook !== null || (button && presses)
  return html`<${Within} beyond=${beyond}>
    <p class="back"><a href="/">‹ ${t('workflow.back')}</a></p>
    <div class="workflow">
      <div class="card wide">
        <div class="title">
          <h1>${workflow.name}</h1>
          <span class="meta">
            ${trigger(workflow.trigger)} · ${t('workflow.version', { n: workflow.version })}
            ${workflow.next_run && html` · ${t('workflow.next')} <time datetime=${workflow.next_run}>${clock(workflow.next_run, state.zone)}</time>`}
          </span>
        </div>
        <${StateSwitch} workflow=${workflow} store=${store} />
        ${manages && html`<p class="change"><a href=${`/workflows/${id}/edit`}>${t('editor.open')}</a></p>`}
        <${Barred} from="manage" />
        ${button && html`<${Barred} from="press" />`}
        <${Snooze} workflow=${workflow} store=${store} zone=${state.zone} />
        ${workflow.description && html`<p class="about">${workflow.description}</p>`}
        ${workflow.needs_attention && html`<${Attention} reason=${workflow.needs_attention} />`}
      </div>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      ${canTry && html`<${Try} workflow=${workflow} roles=${state.roles} />`}
      ${workflow.trigger === 'message' && html`<${Message} workflow=${workflow} store=${store} state=${state} />`}
      <${Accuracy} workflow=${workflow} trust=${trust} />
      <section aria-labelledby="runs">
        <h2 id="runs">${t('home.runs')}</h2>
        ${
          shown.length
            ? html`<${Runs} runs=${shown} zone=${state.zone} named=${false} />`
            : html`<p class="none">${t('workflow.no_runs')}</p>`
        }
      </section>
      <${Later}
        title=${t('case.all')}
        load=${() => import('./cases/index.ts').then(part => part.CaseList)}
        of=${{ workflow: id, zone: state.zone }}
      />
      <${Versions} workflow=${workflow} store=${store} zone=${state.zone} />
      ${file !== null && html`<${Drawn} title=${t('flow.title')} of=${file} get=${async () => file} />`}
      ${
        file !== null &&
        html`<details class="file"><summary>${t('workflow.file')}</summary>
          <p class="tools">
            ${manages && html`<a href=${`/workflows/${id}/edit`}>${t('editor.edit')}</a>`}
            <a href=${`/api/v1/workflows/${id}/export`} download>${t('editor.export')}</a>
          </p><pre tabindex="0">${file}</pre></details>`
      }
    </div>
  </${Within}>`
}

/** Starts the workflow from here, with a picture of one's own. */
function Try({ workflow, roles }: { workflow: WorkflowView; roles: readonly string[] }) {
  const form = useRef<HTMLFormElement>(null)
  const [picture, setPicture] = useState<File | null>(null)
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const preview = usePreview(picture)

  const submit = async (event: Event) => {
    event.preventDefault()
    const camera = String(new FormData(form.current ?? undefined).get('camera') ?? '').trim()
    // A run without anything to look at would only start the cooldown.
    if (workflow.wants_picture && !picture && !roles.includes(camera)) {
      setSaid(t('try.need_picture'))
      field.current?.focus()
      return
    }
    setBusy(true)
    setSaid('')
    try {
      const { run, reason } = await start(workflow, picture, camera)
      if (run !== null) go(`/runs/${run}`)
      else setSaid(t('try.no_run', { why: reason ? inWords(reason.message) : t('try.kept_out') }))
    } catch (error) {
      setSaid((error as Error).message)
    }
    setBusy(false)
  }

  return html`
    <section class="try" aria-labelledby="try">
      <h2 id="try">${t(workflow.trigger === 'button' ? 'try.press' : 'try.picture')}</h2>
      <form ref=${form} onSubmit=${submit}>
        <label class="drop">
          ${preview ? html`<img src=${preview} alt=${t('try.chosen')} />` : html`<span>${t('try.choose')}${workflow.wants_picture ? '' : html` <small>${t('try.optional')}</small>`}</span>`}
          <input
            ref=${field}
            type="file"
            accept="image/jpeg,image/png,image/webp"
            onChange=${(event: Event) => setPicture((event.target as HTMLInputElement).files?.[0] ?? null)}
          />
        </label>
        <label class="field">
          <span>${t('try.camera')} <small>${t('try.optional')}</small></span>
          <input name="camera" maxlength="100" autocomplete="off" list="roles" placeholder=${roles[0] ?? 'gate'} />
          <datalist id="roles">${roles.map(role => html`<option key=${role} value=${role} />`)}</datalist>
        </label>
        <button type="submit" class="main" disabled=${busy}>${busy ? t('try.starting') : (workflow.label ?? t('try.run'))}</button>
      </form>
      ${said && html`<p class="problem" role="alert">${said}</p>`}
      ${
        workflow.hook &&
        html`<details>
          <summary>${t('try.program')}</summary>
          <pre tabindex="0">curl -F picture=@photo.jpg -F event='{"camera":"gate"}' ${location.origin}${workflow.hook}</pre>
        </details>`
      }
    </section>
  `
}

function usePreview(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return setUrl(null)
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
