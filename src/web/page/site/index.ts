import { html } from 'htm/preact'
import { useContext, useEffect } from 'preact/hooks'
import { useAsked } from '../asked.ts'
import { t } from '../language.ts'
import { Who } from '../may.ts'
import type { State } from '../state.ts'
import { ModeNow } from './mode.ts'
import type { SectionModule } from './section.ts'
import { say } from './words.ts'

/** Each is a file of its own, and is loaded when it is opened. */
const SECTIONS = [
  { path: 'cameras', permission: 'system.view', load: () => import('./cameras.ts') },
  { path: 'people', permission: 'site.manage', load: () => import('./people.ts') },
  { path: 'lists', permission: 'site.manage', load: () => import('./lists.ts') },
  { path: 'rules', permission: 'site.manage', load: () => import('./rules.ts') },
  { path: 'destinations', permission: 'site.manage', load: () => import('./destinations.ts') },
  { path: 'privacy', permission: 'system.view', load: () => import('./privacy.ts') },
] as const satisfies readonly {
  path: string
  permission: string
  load(): Promise<SectionModule>
}[]

type Section = (typeof SECTIONS)[number]

/** What the box knows of its site, by sections; the address names the one that is open. */
export function SitePage({ path, state }: { path: string; state: State }) {
  const { may } = useContext(Who)
  const [, , name = '', rest = ''] = path.split('/')
  const theirs = SECTIONS.filter(({ permission }) => may.includes(permission))
  const open = SECTIONS.find(each => each.path === name) ?? null
  const barred = open !== null && !theirs.includes(open)
  return html`
    <div class="site">
      <h1>${open ? say(`section.${open.path}`) : t('site.title')}</h1>
      ${
        open &&
        html`<nav class="sections" aria-label=${say('sections')}>
          ${theirs.map(
            each => html`
              <a key=${each.path} href=${`/site/${each.path}`} aria-current=${each === open ? 'page' : null}>
                ${say(`section.${each.path}`)}
              </a>
            `,
          )}
        </nav>`
      }
      ${barred && html`<p class="none">${say('barred')}</p>`}
      ${open && !barred && html`<${Open} key=${open.path} section=${open} state=${state} rest=${rest} />`}
      ${!open && html`<${ModeNow} /><${All} sections=${theirs} />`}
    </div>
  `
}

function All({ sections }: { sections: readonly Section[] }) {
  return html`
    <ul class="site-sections">
      ${sections.map(
        ({ path }) => html`
          <li key=${path} class="card title">
            <a href=${`/site/${path}`}>${say(`section.${path}`)}</a>
            <span class="meta">${say(`about.${path}`)}</span>
          </li>
        `,
      )}
    </ul>
  `
}

function Open({ section, state, rest }: { section: Section; state: State; rest: string }) {
  const { found, problem } = useAsked<SectionModule>(section.load)
  useEffect(() => {
    document.title = `${say(`section.${section.path}`)} · Gatehouse`
  }, [])
  if (problem) return html`<p class="problem" role="alert">${problem}</p>`
  return found
    ? html`<${found.Section} state=${state} rest=${rest} />`
    : html`<p class="none">${t('app.loading')}</p>`
}
