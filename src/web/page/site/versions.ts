import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { Diff } from '../diff.ts'
import { t } from '../language.ts'
import { Sure } from '../sure.ts'
import { clock } from '../words.ts'
import {
  getRuleVersion,
  getRuleVersions,
  type RuleChange,
  type RulesVersion,
  type RulesVersionView,
  takeBack,
} from './api.ts'
import { RULES_CHANGED } from './editing.ts'
import { say, sayTerm } from './words.ts'

/** Shown at once. */
const PAGE = 20

/** Who changed which of the site's rules and when, what that was, and the way back. */
export function RuleVersions({ zone }: { zone: string }) {
  const [versions, setVersions] = useState<RulesVersion[] | null>(null)
  const [shown, setShown] = useState(PAGE)
  const [open, setOpen] = useState(false)
  const [problem, setProblem] = useState('')
  const [to, setTo] = useState<number | null>(null)
  const look = () => getRuleVersions().then(setVersions, (error: Error) => setProblem(error.message))
  useEffect(() => {
    if (open) look()
  }, [open])
  return html`
    <details class="versions" onToggle=${(event: Event) => setOpen((event.target as HTMLDetailsElement).open)}>
      <summary>${say('versions.title')}</summary>
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}
      <ol>
        ${(versions ?? []).slice(0, shown).map(
          (it, i) => html`
            <li key=${it.version}>
              <div>
                <strong>${t('learned.version', { n: it.version })}</strong>
                ${i === 0 && html` <span class="tag done">${t('learned.in_force')}</span>`}
                <span class="meta"><time datetime=${it.at}>${clock(it.at, zone)}</time><span>${it.by}</span></span>
                <p>${changeText(it.change)}</p>
              </div>
              ${
                i > 0 &&
                html`<button type="button" aria-label=${t('learned.back_to', { n: it.version })} onClick=${() => setTo(it.version)}>
                  ${t('learned.back')}
                </button>`
              }
              <${What} version=${it.version} />
            </li>
          `,
        )}
      </ol>
      ${
        versions &&
        versions.length > shown &&
        html`<p class="tools"><button type="button" onClick=${() => setShown(shown + PAGE)}>${say('lists.more', { n: PAGE })}</button></p>`
      }
    </details>
    ${
      to !== null &&
      html`<${Back}
        key=${to}
        to=${to}
        now=${versions?.[0]?.version ?? 0}
        done=${() => {
          setTo(null)
          look()
        }}
      />`
    }
  `
}

/** What the box keeps of a change in one line, in the page's language. */
function changeText(change: string): string {
  return change
    .split('; ')
    .map(part => {
      const [, name, added, removed] = /^list (\S+): (\d+) added, (\d+) removed$/.exec(part) ?? []
      if (name !== undefined) return `${say('part.list', { name })}: +${added} −${removed}`
      const [, back] = /^list (\S+): as the site file says$/.exec(part) ?? []
      if (back !== undefined) return `${say('part.list', { name: back })}: ${say('as_file')}`
      return sayTerm(`part.${part.replaceAll(' ', '_')}`) ?? part
    })
    .join(', ')
}

function What({ version }: { version: number }) {
  const [open, setOpen] = useState(false)
  return html`
    <details
      class="what-changed"
      onToggle=${(event: Event) => {
        event.stopPropagation()
        setOpen((event.target as HTMLDetailsElement).open)
      }}
    >
      <summary>${say('versions.what')}</summary>
      ${open && html`<${Of} version=${version} pick=${(view: RulesVersionView) => view.changes} />`}
    </details>
  `
}

/** `pick`: what it changed, or what would change if it came back; `found`: it is known. */
function Of({
  version,
  pick,
  found,
}: {
  version: number
  pick(view: RulesVersionView): RuleChange[] | null
  found?(possible: boolean): void
}) {
  const [changes, setChanges] = useState<RuleChange[] | null | undefined>(undefined)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    getRuleVersion(version).then(
      view => {
        const picked = pick(view)
        setChanges(picked)
        found?.(Boolean(picked?.length))
      },
      (error: Error) => setProblem(error.message),
    )
  }, [version])
  if (problem) return html`<p class="problem" role="alert">${problem}</p>`
  if (changes === undefined) return html`<p class="meta">${t('app.loading')}</p>`
  if (changes === null) return html`<p class="meta">${say('versions.lost')}</p>`
  if (!changes.length) return html`<p class="meta">${say('versions.nothing')}</p>`
  return changes.map((change, i) => html`<${Change} key=${i} change=${change} />`)
}

function Change({ change }: { change: RuleChange }) {
  if (change.part !== 'list')
    return html`
      <p><strong>${sayTerm(`part.${change.part}`) ?? change.part}</strong></p>
      <${Diff} before=${lines(change.before)} after=${lines(change.after)} />
    `
  const { name, set, added, removed, noted, first_added, first_removed } = change
  const more = added - first_added.length + removed - first_removed.length
  return html`
    <p>
      <strong>${say('part.list', { name })}</strong>${' '}
      <span class="tag done">+${added}</span> <span class="tag failed">−${removed}</span>
      ${noted > 0 && html` <span class="tag">${say('lists.noted_many', { n: noted })}</span>`}
      ${!set && html` <span class="meta">${say('as_file')}</span>`}
    </p>
    ${
      (first_added.length > 0 || first_removed.length > 0) &&
      html`<${Diff} before=${first_removed.join('\n')} after=${first_added.join('\n')} />`
    }
    ${more > 0 && html`<p class="meta">${say('and_more', { n: more })}</p>`}
  `
}

/** What was set, as people read it: texts as they are, of names one line each. */
function lines(value: unknown): string {
  if (value === null) return say('as_file')
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(String).join('\n')
  return Object.entries(value as object)
    .map(([name, it]) => `${name}: ${plain(it)}`)
    .join('\n')
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(', ')
  if (value === null || typeof value !== 'object') return String(value)
  return Object.entries(value)
    .map(([name, it]) => `${name} ${plain(it)}`)
    .join('; ')
}

/** Asks before what was set in an old version is set again: what that changes. */
function Back({ to, now, done }: { to: number; now: number; done(): void }) {
  const [possible, setPossible] = useState(false)
  const back = async () => {
    await takeBack(to, now)
    // Every part of the page that is open shows what is in force now.
    window.dispatchEvent(new Event(RULES_CHANGED))
  }
  return html`
    <${Sure} title=${say('versions.back_title', { n: to })} act=${t('learned.back')} off=${!possible} doing=${back} done=${done}>
      <p>${say('versions.back_why')}</p>
      <${Of} version=${to} pick=${(view: RulesVersionView) => view.back} found=${setPossible} />
    </${Sure}>
  `
}
