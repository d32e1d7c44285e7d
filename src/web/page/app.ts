import { html } from 'htm/preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { AwayBanner } from './away.ts'
import { RunsPage } from './browse.ts'
import { EditPage } from './edit.ts'
import { DiskBanner, PauseBanner, PauseSwitch, SafeBanner } from './holds.ts'
import { Home } from './home.ts'
import { t } from './language.ts'
import { Who } from './may.ts'
import { usePath } from './navigate.ts'
import { RunPage } from './run.ts'
import type { Session } from './session.ts'
import type { State, Store } from './state.ts'
import { viewLater } from './view-later.ts'
import { WorkflowPage } from './workflow.ts'

const AccessPage = viewLater('access.title', async () => (await import('./access.ts')).AccessPage)
const MachinePage = viewLater('box.title', async () => (await import('./machine.ts')).MachinePage)
const NewPage = viewLater('new.title', async () => (await import('./new/index.ts')).NewPage, 'workflow.back')
const SitePage = viewLater('site.title', async () => (await import('./site/index.ts')).SitePage)

interface AppProps {
  store: Store
  session: Session
  changed(session: Session): void
}

/** The frame of every view: header, the notice that there is no login, the view that the address names. */
export function App({ store, session, changed }: AppProps) {
  const state = useStore(store)
  const path = usePath()
  const main = useRef<HTMLElement>(null)
  const first = useRef(true)

  useEffect(() => {
    // A new view is read from its top, by eye and by screen reader; the first one is where it is.
    if (!first.current) main.current?.focus()
    first.current = false
  }, [path])

  return html`<${Who.Provider} value=${session}>
    <a class="skip" href="#main">${t('app.skip')}</a>
    <header>
      <a class="brand" href="/"><${Mark} /> Gatehouse</a>
      ${state.holds && !state.holds.paused && html`<${PauseSwitch} store=${store} />`}
      ${session.by === 'session' && html`<a class="who" href="/access">${session.name}</a>`}
      <span class=${`live ${state.live ? 'ok' : 'off'}`} role="status">
        ${t(state.live ? 'app.live' : 'app.away')}
      </span>
      <${Nav} path=${path} />
    </header>
    ${
      session.by === 'loopback' &&
      html`<aside class="notice">
        <span>${t('app.open')} <a href="/access">${t('app.claim')}</a></span>
      </aside>`
    }
    <${AwayBanner} state=${state} store=${store} />
    ${state.safe !== null && html`<${SafeBanner} why=${state.safe} />`}
    ${state.storage && html`<${DiskBanner} storage=${state.storage} />`}
    ${state.holds?.paused && html`<${PauseBanner} holds=${state.holds} store=${store} zone=${state.zone} />`}
    <main id="main" ref=${main} tabindex="-1">
      ${
        path === '/access'
          ? html`<${AccessPage} session=${session} changed=${changed} zone=${state.zone} />`
          : html`<${View} path=${path} store=${store} state=${state} />`
      }
    </main>
  </${Who.Provider}>`
}

function View({ path, store, state }: { path: string; store: Store; state: State }) {
  const [, kind, id, edits] = /^\/(runs|workflows)\/([1-9]\d{0,14})(\/edit)?\/?$/.exec(path) ?? []
  if (path === '/workflows/new') return html`<${NewPage} store=${store} />`
  if (kind === 'workflows' && edits)
    return html`<${EditPage} key=${path} id=${Number(id)} store=${store} state=${state} />`
  if (kind === 'runs') return html`<${RunPage} key=${path} id=${Number(id)} store=${store} state=${state} />`
  if (kind === 'workflows')
    return html`<${WorkflowPage} key=${path} id=${Number(id)} store=${store} state=${state} />`
  if (path === '/runs') return html`<${RunsPage} state=${state} />`
  if (/^\/site(\/|$)/.test(path)) return html`<${SitePage} path=${path} state=${state} />`
  if (path === '/box') return html`<${MachinePage} zone=${state.zone} />`
  return html`<${Home} store=${store} state=${state} />`
}

const VIEWS = [
  ['/', 'nav.overview', /^\/($|workflows)/],
  ['/runs', 'runs.title', /^\/runs/],
  ['/site', 'site.title', /^\/site/],
  ['/box', 'box.title', /^\/box/],
  ['/access', 'access.title', /^\/access/],
] as const

function Nav({ path }: { path: string }) {
  return html`
    <nav aria-label=${t('nav.title')}>
      ${VIEWS.map(
        ([href, words, here]) =>
          html`<a key=${href} href=${href} aria-current=${here.test(path) ? 'page' : null}>${t(words)}</a>`,
      )}
    </nav>
  `
}

function Mark() {
  return html`
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" />
      <path d="M7 25V14l9-7 9 7v11" />
      <circle cx="16" cy="18" r="3.4" />
    </svg>
  `
}

function useStore(store: Store): State {
  const [state, setState] = useState(store.state)
  useEffect(() => {
    setState(store.state)
    return store.subscribe(() => setState(store.state))
  }, [store])
  return state
}
