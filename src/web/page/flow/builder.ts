/** The flow of a file that is being written: a card that is picked is changed by a form, in the same text. */
import { html } from 'htm/preact'
import { useMemo, useState } from 'preact/hooks'
import {
  editBetween,
  type Fix,
  type Problem,
  parse,
  reread,
  setParam,
  stepAt,
  valuesAt,
  type Workflow,
} from '../../../contract/index.ts'
import { t } from '../language.ts'
import { label, stepKind, trigger } from '../words.ts'
import { Cards } from './cards.ts'
import type { ParamField } from './fields.ts'
import { Panel, type Picked, type Value } from './panel.ts'
import { wrongIn } from './wrong.ts'

interface BuilderProps {
  text: string
  /** Errors: what is only a warning comes and goes while the box is asked. */
  problems: readonly Problem[]
  apply(fix: Fix): void
  goTo(place: { line: number; column: number }): void
}

export function Builder({ text, problems, apply, goTo }: BuilderProps) {
  const workflow = useMemo(() => reread(text), [text])
  const [node, setNode] = useState<string | null>(null)
  const [problem, setProblem] = useState('')
  if (!workflow) return html`<p class="hint">${t('panel.mend')}</p>`
  const picked = node === null ? null : pickedAt(workflow, node)

  const set = (field: ParamField, value: Value) => {
    const next = setParam(text, field, value)
    const fix = next === null ? null : { title: '', edits: [editBetween(text, next)] }
    const wrong = next && !reread(next) && parse(next).problems.find(({ severity }) => severity === 'error')
    setProblem(!fix ? t('panel.cannot') : wrong ? wrong.message : '')
    if (fix && !wrong) apply(fix)
  }
  const close = () => {
    document.querySelector<HTMLElement>('button.flow-card[aria-pressed="true"]')?.focus()
    setNode(null)
  }
  const pick = (path: string) => {
    setProblem('')
    setNode(path)
  }
  return html`
    <div class=${`builder ${picked ? 'picking' : ''}`}>
      <${Cards} workflow=${workflow} problems=${problems} picked=${node} pick=${pick} />
      ${
        picked &&
        html`<${Panel}
          picked=${picked}
          problem=${problem}
          wrong=${wrongIn(workflow, problems).get(picked.node) ?? []}
          fix=${apply}
          values=${valuesIn(workflow, picked.node)}
          set=${set}
          goTo=${() => goTo(parse(text).locate(picked.node))}
          close=${close}
        />`
      }
    </div>
  `
}

function pickedAt(workflow: Workflow, node: string): Picked | null {
  if (node === 'when') return { node, ...workflow.when, name: trigger(workflow.when.kind) }
  const guard = /^if\[(\d+)\]$/.exec(node)
  if (guard) {
    const condition = workflow.if[Number(guard[1])]
    return condition ? { node, ...condition, name: t('flow.only_if') } : null
  }
  const step = stepAt(workflow, node)
  return step
    ? { node, kind: step.kind, params: step.params, name: stepKind(step.kind) || label(step.kind) }
    : null
}

function valuesIn(workflow: Workflow, node: string): string[] {
  if (node === 'when' || node.startsWith('if[')) return []
  return [...valuesAt(workflow, node).keys()]
}
