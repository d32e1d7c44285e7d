import type { JsonValue } from '../core/index.ts'
import type { RunView, StepView } from '../engine/index.ts'
import { confidenceWords } from '../web/index.ts'

/** A run for people at a terminal: each step with what it saw, decided and did. */
export function trace(run: RunView): string {
  const lines = [`${run.workflow.name}, run in ${run.state === 'test' ? 'Test' : 'On'}: ${ended(run)}`]
  if (run.note) lines.push(run.note)
  for (const step of run.steps)
    lines.push('', ...stepLines(step).map((line, i) => (i ? `    ${line}` : line)))
  return lines.join('\n')
}

function ended(run: RunView): string {
  const took = run.ended_at ? ` in ${seconds(Date.parse(run.ended_at) - Date.parse(run.started_at))}` : ''
  return `${run.status}${took}${run.error ? ` (${run.error})` : ''}`
}

function stepLines(step: StepView): string[] {
  const title = `${step.kind}${step.name ? ` “${step.name}”` : ''}${step.item ? ` for ${step.item}` : ''}  ${step.path}  ${seconds(step.ms)}`
  if (step.kind === 'ai') return [title, ...lookLines(step)]
  return [title, ...actionLines(step), ...(step.kind === 'call' ? callLines(step) : [])]
}

function lookLines(step: StepView): string[] {
  const lines = step.evidence.map(({ seen }) =>
    seen === null
      ? `could not judge the picture: ${step.reason ?? 'it was not looked at'}`
      : `saw ${sawText(seen)}`,
  )
  for (const [name, value] of Object.entries(step.fields ?? {})) lines.push(`${name}: ${shown(value)}`)
  if (step.rule !== null) lines.push(`rule ${step.rule + 1} fired`)
  lines.push(`decision: ${step.outcome}${step.unsure_reason ? ` (${step.unsure_reason})` : ''}`)
  lines.push(`confidence: ${step.confidence === null ? 'not measured' : confidenceWords(step)}`)
  if (step.reason) lines.push(`reason: ${step.reason}`)
  return lines
}

function actionLines(step: StepView): string[] {
  const words = {
    would_have: 'would have done this',
    done: 'done',
    failed: 'failed',
    unknown: 'nobody knows whether it happened',
    waiting: 'waits',
    held: 'is held: moves are paused',
    running: 'runs',
  }
  return [...given(step.inputs), words[step.status] + (step.outcome ? `: ${step.outcome}` : '')]
}

/** Who took a call and what they said, or why nothing came of it. */
function callLines({ result, fields, reason }: StepView): string[] {
  const { answered_by: by, message } = (result ?? {}) as { answered_by?: string; message?: string }
  const lines = by ? [`taken by ${by}`] : []
  for (const [name, value] of Object.entries(fields ?? {})) lines.push(`${name}: ${shown(value)}`)
  if (reason || message) lines.push(`reason: ${reason || message}`)
  return lines
}

/** What a step was given, one line for each thing: `title: Somebody in the yard`. */
function given(inputs: JsonValue): string[] {
  if (inputs === null) return []
  if (typeof inputs !== 'object') return [String(inputs)]
  if (Array.isArray(inputs)) return inputs.flatMap(given)
  return Object.entries(inputs).map(([name, value]) => `${name}: ${plain(value)}`)
}

function plain(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(plain).join(', ')
  if (value === null || typeof value !== 'object') return shown(value)
  return Object.entries(value)
    .map(([name, inner]) => `${name} ${plain(inner)}`)
    .join(', ')
}

interface SeenJson {
  width?: number
  height?: number
  detections?: { label: string }[]
  lines?: { text: string }[] | null
}

function sawText(seen: JsonValue): string {
  const { width, height, detections = [], lines } = (seen ?? {}) as SeenJson
  // No scores: beside the confidence, which is calibrated, they mislead. --json has them.
  const counts = Map.groupBy(detections, ({ label }) => label)
  const things =
    [...counts].map(([label, all]) => (all.length > 1 ? `${all.length} × ${label}` : label)).join(', ') ||
    'nothing that it knows'
  const text = lines?.length ? `; read ${lines.map(line => `“${line.text}”`).join(' ')}` : ''
  return `${width} × ${height}: ${things}${text}`
}

function shown(value: JsonValue): string {
  return value === null ? 'unknown' : typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

function seconds(ms: number | null): string {
  return ms === null ? '' : ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}
