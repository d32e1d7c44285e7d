/** The cards of a flow that is being written, with places for more between them. */
import { html } from 'htm/preact'
import type { ComponentChildren } from 'preact'
import { type Condition, keyPath, nodePath, type Step } from '../../../contract/index.ts'
import { laneName } from '../flow/says.ts'
import { t } from '../language.ts'
import { said } from '../said.ts'
import { AddGuard, AddStep, AddTrigger } from './add.ts'
import { useBuilding } from './building.ts'
import { conditionLine, stepLine, stepName, triggerLine, triggerName } from './says.ts'
import { say } from './words.ts'

/** `panel`: what stands below the picked card where there is no room beside. */
export function Cards({ panel }: { panel: ComponentChildren }) {
  const { workflow } = useBuilding()
  const { kind } = workflow.when
  return html`
    <ol class="flow building">
      <${Node} node="head" name=${workflow.name || say('head.no_name')} says=${say('head.says')} panel=${panel} />
      ${
        kind
          ? html`<${Node} node="when" name=${triggerName(kind)} says=${triggerLine(workflow)} panel=${panel} />`
          : html`<li><${AddTrigger} /></li>`
      }
      ${workflow.if.map(
        (condition: Condition, i: number) =>
          html`<${Node} key=${`if ${i}`} node=${`if[${i}]`} name=${t('flow.only_if')} says=${conditionLine(condition)} panel=${panel} />`,
      )}
      <li class="between"><${AddGuard} /></li>
      <${Steps} steps=${workflow.then} parent="" outcome="then" panel=${panel} />
      <li class="lane always">
        <p class="lane-name">${t('flow.always')}</p>
        <ol class="flow building"><${Steps} steps=${workflow.always} parent="" outcome="always" panel=${panel} /></ol>
      </li>
    </ol>
  `
}

interface StepsProps {
  steps: readonly Step[]
  parent: string
  outcome: string
  panel: ComponentChildren
}

function Steps({ steps, parent, outcome, panel }: StepsProps) {
  const lane = { parent, outcome }
  return html`
    ${steps.map((step, i) => {
      const path = nodePath(parent, outcome, i)
      const lanes = Object.entries(step.paths)
      return html`
        <li class="between" key=${`+ ${path}`}><${AddStep} lane=${lane} index=${i} /></li>
        <${Node} key=${path} node=${path} name=${stepName(step)} says=${stepLine(step)} panel=${panel}>
          ${
            lanes.length > 0 &&
            html`<ul class="lanes">
              ${lanes.map(
                ([name, inner]) => html`
                  <li class="lane" key=${name} data-lane=${keyPath(path, name)}>
                    <p class="lane-name">${laneName(step, name)}</p>
                    <ol class="flow building"><${Steps} steps=${inner} parent=${path} outcome=${name} panel=${panel} /></ol>
                  </li>
                `,
              )}
            </ul>`
          }
        </${Node}>
      `
    })}
    <li class="between last"><${AddStep} lane=${lane} index=${steps.length} /></li>
  `
}

interface NodeProps {
  node: string
  name: string
  says: string
  panel: ComponentChildren
  children?: ComponentChildren
}

function Node({ node, name, says, panel, children }: NodeProps) {
  const { wrong, picked, pick, shift, remove, moving, wide } = useBuilding()
  const here = wrong.get(node) ?? []
  const severity = here.find(it => it.severity === 'error')?.severity ?? here[0]?.severity
  const isPicked = picked === node
  const fixed = node === 'head' || node === 'when'
  const press = (event: KeyboardEvent) => {
    const does = {
      ArrowUp: () => event.altKey && shift(node, -1),
      ArrowDown: () => event.altKey && shift(node, 1),
      Delete: () => remove(node),
    }[event.key]
    if (fixed || !does || (event.key !== 'Delete' && !event.altKey)) return
    event.preventDefault()
    does()
  }
  return html`
    <li>
      <button
        type="button"
        class=${`flow-card ${moving === node ? 'going' : ''}`}
        data-node=${node}
        aria-pressed=${isPicked}
        aria-keyshortcuts=${fixed ? undefined : 'Alt+ArrowUp Alt+ArrowDown Delete'}
        onClick=${() => pick(isPicked ? null : node)}
        onKeyDown=${press}
      >
        <span>
          <strong>${name}</strong>
          ${severity && html` <span class=${`tag ${severity === 'error' ? 'failed' : 'waiting'}`}>${t(`editor.${severity}`)}</span>`}
        </span>
        ${says && html`<span class="line">${says}</span>`}
        ${severity && html`<span class=${`line wrong ${severity}`}>${said(here[0]?.message ?? '')}</span>`}
      </button>
      ${isPicked && !wide && panel}
      ${children}
    </li>
  `
}
