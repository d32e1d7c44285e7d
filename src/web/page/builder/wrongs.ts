import { html } from 'htm/preact'
import { type Problem, paramPath, stepAt, type Workflow } from '../../../contract/index.ts'
import { t } from '../language.ts'
import { said } from '../said.ts'
import { useBuilding } from './building.ts'
import { hiddenOf } from './form/hidden.ts'
import { schemaOf } from './schema.ts'

const within = (path: string, of: string): boolean =>
  path.startsWith(of) && /^($|[.[])/.test(path.slice(of.length))

/** Whether a problem of a card is about one parameter that its form asks for. */
export function hasField(workflow: Workflow, node: string, { path }: Problem): boolean {
  const here = node === 'when' ? workflow.when : stepAt(workflow, node)
  if (!here) return false
  const { kind } = here
  const hidden = hiddenOf(kind, Object(here.params))
  const { properties = {} } = schemaOf(node === 'when' ? 'trigger' : 'step', kind) ?? {}
  return Object.keys(properties).some(
    key => !hidden.includes(key) && within(path, paramPath(node, kind, key)),
  )
}

/** What is wrong with one parameter of the picked card, right below it. */
export function WrongHere({ node, kind, name }: { node: string; kind: string; name: string }) {
  const { wrong, picked } = useBuilding()
  if (node !== picked) return null
  const here = (wrong.get(node) ?? []).filter(({ path }) => within(path, paramPath(node, kind, name)))
  return here.length > 0 ? html`<${Wrongs} problems=${here} />` : null
}

/** What is wrong, each with the change that mends it. */
export function Wrongs({ problems }: { problems: readonly Problem[] }) {
  const { fix } = useBuilding()
  return html`
    <ul class="wrongs">
      ${problems.map(
        (one, i) => html`
          <li key=${`${one.code} ${i}`} class=${one.severity}>
            <span class=${`tag ${one.severity === 'error' ? 'failed' : 'waiting'}`}>${t(`editor.${one.severity}`)}</span>
            ${' '}${said(one.message)}${' '}
            ${one.fix && html`<button type="button" onClick=${() => one.fix && fix(one.fix)}>${t('editor.fix', { title: said(one.fix.title) })}</button>`}
          </li>
        `,
      )}
    </ul>
  `
}
