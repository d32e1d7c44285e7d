import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { ask, type RunPage, type RunSummary } from './api.ts'
import { count, t } from './language.ts'
import { Runs } from './runs.ts'
import { type State, withRun } from './state.ts'
import { midnight } from './words.ts'

/** What a list is narrowed by, as it stands in the address. */
const NAMES = ['workflow', 'camera', 'what', 'state', 'decision', 'from', 'to'] as const
type Filter = Partial<Record<(typeof NAMES)[number], string>>

/** What happened → how the box is asked for it. */
const WHAT: Readonly<Record<string, string>> = {
  acted: 'acted=true',
  failed: 'status=failed,unknown',
  unsure: 'decision=unsure',
  open: 'status=running,waiting',
}

function filterOf(search: string): Filter {
  const query = new URLSearchParams(search)
  return Object.fromEntries(NAMES.flatMap(name => (query.get(name) ? [[name, query.get(name)]] : [])))
}

/** The question to the box. The days are those of the site. */
function queryOf({ what, from, to, ...same }: Filter, zone: string): string {
  const query = new URLSearchParams(WHAT[what ?? ''] ?? '')
  for (const [name, text] of Object.entries(same)) query.set(name, text)
  if (from) query.set('since', midnight(from, zone))
  if (to) query.set('until', midnight(to, zone, 1))
  return String(query)
}

/** All runs, narrowed by what somebody looks for. */
export function RunsPage({ state }: { state: State }) {
  const [filter, setFilter] = useState(() => filterOf(location.search))
  const [runs, setRuns] = useState<RunSummary[] | null>(null)
  const [next, setNext] = useState<number | null>(null)
  const [problem, setProblem] = useState('')
  const [cameras, setCameras] = useState<{ id: string; name: string }[]>([])
  const query = queryOf(filter, state.zone)

  useEffect(() => {
    document.title = `${t('runs.title')} · Gatehouse`
    ask<{ cameras?: { id: string; name: string }[] }>('/system/health').then(
      found => setCameras(found.cameras ?? []),
      () => undefined,
    )
    const follow = () => setFilter(filterOf(location.search))
    window.addEventListener('popstate', follow)
    return () => window.removeEventListener('popstate', follow)
  }, [])

  // What the stream brings may belong to it, or not any more: the box knows.
  const [newest] = state.runs
  useEffect(() => {
    let old = false
    ask<RunPage>(`/runs?${query}`).then(
      page => {
        if (old) return
        setRuns(page.runs)
        setNext(page.next)
        setProblem('')
      },
      (error: Error) => setProblem(error.message),
    )
    return () => {
      old = true
    }
  }, [query, newest?.id])

  const set = (name: keyof Filter, text: string) => {
    const { [name]: _, ...others } = filter
    const changed: Filter = text ? { ...others, [name]: text } : others
    setFilter(changed)
    const search = String(new URLSearchParams(changed as Record<string, string>))
    history.replaceState(null, '', search ? `/runs?${search}` : '/runs')
  }
  const more = () =>
    ask<RunPage>(`/runs?${query}&before=${next}`).then(
      page => {
        setRuns([...(runs ?? []), ...page.runs])
        setNext(page.next)
      },
      (error: Error) => setProblem(error.message),
    )

  // Of those that are shown the stream knows the latest.
  const shown = state.runs.filter(({ id }) => runs?.some(run => run.id === id)).reduce(withRun, runs ?? [])
  return html`
    <h1>${t('runs.title')}</h1>
    <form class="filters" onSubmit=${(event: Event) => event.preventDefault()}>
      <${Choice} name="workflow" filter=${filter} set=${set} options=${state.workflows.map(({ id, name }) => [String(id), name])} />
      <${Choice} name="camera" filter=${filter} set=${set} options=${cameras.map(({ id, name }) => [id, name])} />
      <${Choice} name="what" filter=${filter} set=${set} options=${(['acted', 'failed', 'unsure', 'open'] as const).map(it => [it, t(`runs.${it}`)])} />
      <${Choice} name="state" filter=${filter} set=${set} options=${(['test', 'on'] as const).map(it => [it, t(`state.${it}`)])} />
      <${Typed} name="decision" label=${t('runs.decision')} filter=${filter} set=${set} />
      <${Typed} name="from" type="date" label=${t('runs.since')} filter=${filter} set=${set} />
      <${Typed} name="to" type="date" label=${t('runs.until')} filter=${filter} set=${set} />
    </form>
    <p class="tools">
      <span class="meta" role="status">${runs && count('runs.found', shown.length)}</span>
      ${
        Object.keys(filter).length > 0 &&
        html`<button
          type="button"
          onClick=${() => {
            setFilter({})
            history.replaceState(null, '', '/runs')
          }}
        >
          ${t('runs.clear')}
        </button>`
      }
    </p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${
      runs === null
        ? html`<p class="none">${t('app.loading')}</p>`
        : shown.length
          ? html`<${Runs} runs=${shown} zone=${state.zone} named />`
          : html`<p class="none">${t('runs.none')}</p>`
    }
    ${next !== null && html`<p class="older"><button type="button" onClick=${more}>${t('home.older')}</button></p>`}
  `
}

interface FieldProps {
  name: keyof Filter
  filter: Filter
  set(name: keyof Filter, text: string): void
}

function Choice({ name, filter, set, options }: FieldProps & { options: [string, string][] }) {
  const chosen = filter[name] ?? ''
  const change = (event: Event) => set(name, (event.target as HTMLSelectElement).value)
  return html`
    <label class="field">
      <span>${t(`runs.${name as 'workflow' | 'camera' | 'what' | 'state'}`)}</span>
      <select onChange=${change}>
        <option value="" selected=${chosen === ''}>${t('runs.any')}</option>
        ${options.map(([value, words]) => html`<option key=${value} value=${value} selected=${value === chosen}>${words}</option>`)}
      </select>
    </label>
  `
}

function Typed({ name, label, type = 'text', filter, set }: FieldProps & { label: string; type?: string }) {
  const change = (event: Event) => set(name, (event.target as HTMLInputElement).value)
  return html`
    <label class="field">
      <span>${label}</span>
      <input type=${type} value=${filter[name] ?? ''} maxlength="100" autocomplete="off" onChange=${change} />
    </label>
  `
}
