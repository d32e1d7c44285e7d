import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from '../api.ts'
import { useKnows } from '../together.ts'
import { label } from '../words.ts'
import { getRules, type RulesView, setPart } from './api.ts'
import { useEditing } from './editing.ts'
import { differing, merged } from './merge.ts'
import { SaveBar } from './save-bar.ts'
import { say, sayTerm } from './words.ts'

const MODES = ['auto', 'ask', 'unavailable'] as const
type Modes = Record<string, (typeof MODES)[number]>

/** What an investigation may use by itself here, after a person agreed, or not at all. */
export function Tools() {
  const [inForce, setInForce] = useState<Modes>({})
  const [tools, setTools] = useState<{ kind: string; description: string }[] | null>(null)
  const at = (view: RulesView) => {
    setInForce(view.in_force.tools)
    return { version: view.version, value: (view.set.tools ?? {}) as Modes }
  }
  const editing = useEditing<Modes>({
    key: 'tools',
    get: async () => at(await getRules()),
    put: async (value, version) => at(await setPart('tools', value, version)),
  })
  useEffect(() => {
    ask<{ tools?: NonNullable<typeof tools> }>('/workflows/registry').then(
      ({ tools: all = [] }) => setTools(all),
      () => setTools([]),
    )
  }, [])
  const { value, base, problem } = editing
  useKnows((value !== null && tools !== null) || problem !== '')
  if (value === null || base === null) return null
  // What was set here and is not any more is as the site file says, which is known once that is saved.
  const modeOf = (kind: string) =>
    value[kind] ?? (Object.hasOwn(base, kind) ? undefined : inForce[kind]) ?? 'auto'
  return html`
    <section aria-labelledby="tools">
      <h2 id="tools">${say('tools.title')}</h2>
      <p class="meta">${say('tools.about')}</p>
      <ul class="entries">
        ${(tools ?? []).map(
          ({ kind, description }) => html`
            <li key=${kind} class="tool-mode">
              <span>
                <strong id=${`tool-${kind}`}>${label(kind)}</strong>
                <span class="meta">${sayTerm(`tool.${kind}`) ?? description}</span>
              </span>
              <span class="field">
                <select
                  aria-labelledby=${`tool-${kind}`}
                  onChange=${(event: Event) =>
                    editing.set({
                      ...value,
                      [kind]: (event.target as HTMLSelectElement).value as Modes[string],
                    })}
                >
                  ${MODES.map(
                    mode =>
                      html`<option key=${mode} value=${mode} selected=${mode === modeOf(kind)}>${say(`tools.${mode}`)}</option>`,
                  )}
                </select>
              </span>
            </li>
          `,
        )}
      </ul>
      <${SaveBar}
        editing=${editing}
        texts=${(theirs: Modes, mine: Modes) => differing(theirs, mine, (kind, mode) => `${label(kind)}: ${say(`tools.${mode}`)}`)}
        both=${merged}
      />
    </section>
  `
}
