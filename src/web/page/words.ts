/** The box's facts in people's words. */
import type { RunSummary, StepView } from './api.ts'

/** `needs_attention` → `Needs attention`. */
export function label(slug: string): string {
  const text = slug.replaceAll(/[_-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export const STATES = { off: 'Off', test: 'Test', on: 'On' } as const

const RUN_STATUS: Record<RunSummary['status'], string> = {
  running: 'Running',
  waiting: 'Waiting',
  done: 'Done',
  failed: 'Failed',
  unknown: 'Nobody knows',
  stopped: 'Stopped',
}
export const runStatus = (status: RunSummary['status']): string => RUN_STATUS[status] ?? label(status)

const STEP_STATUS: Record<StepView['status'], string> = {
  running: 'Running',
  done: 'Done',
  would_have: 'Would have',
  failed: 'Failed',
  unknown: 'Nobody knows',
  waiting: 'Waiting',
  held: 'Held',
}
export const stepStatus = (status: StepView['status']): string => STEP_STATUS[status] ?? label(status)

const SHORT_TRIGGERS: Record<string, string> = {
  'detect.person_in_zone': 'Person in a zone',
  camera_offline: 'Camera offline',
}
/** `webhook` → `Webhook`: where there is little room. */
export const shortTrigger = (kind: string): string => SHORT_TRIGGERS[kind] ?? label(kind)

const TRIGGERS: Record<string, string> = {
  alert: 'When an alert is raised',
  event: 'When an event arrives',
  'detect.person_in_zone': 'When somebody stands in a zone',
  camera_offline: 'When a camera goes offline',
  schedule: 'On a schedule',
  button: 'When its button is pressed',
  webhook: 'When its webhook is called',
  message: 'When a message comes in',
  watch: 'When the answer to a question changes',
}
export const trigger = (kind: string): string => TRIGGERS[kind] ?? label(kind)

const KINDS: Record<string, string> = {
  ai: 'Look at the picture',
  if: 'Check',
  for_each: 'For each',
  ask_person: 'Ask a person',
  call: 'Call',
  wait: 'Wait',
  wait_for: 'Wait for',
  alert: 'Raise an alert',
  notify: 'Notify',
  log: 'Write down',
  save_clip: 'Save a clip',
  save_picture: 'Save a picture',
  ptz_preset: 'Turn the camera',
  webhook: 'Call a webhook',
  mqtt: 'Publish by MQTT',
  home_assistant: 'Home Assistant',
  site_mode: 'Change the site mode',
  app: 'App action',
  reply: 'Reply',
  speak: 'Speak',
}
export const stepKind = (kind: string): string => KINDS[kind] ?? label(kind)

const SOURCES: Record<string, string> = {
  measured: 'measured in the picture',
  likelihood: 'by how the model weighed the options',
  agreement: 'by how often its answers agreed',
  evidence: 'held down: something that it rests on failed',
}

type Judged = Pick<StepView, 'confidence' | 'confidence_source'> &
  Partial<Pick<StepView, 'inputs' | 'fields' | 'rule'>>

/** `96 % sure that somebody is there, measured in the picture`. */
export function confidence(step: Judged): string {
  if (step.confidence === null) return 'Not measured'
  const source = step.confidence_source
  const of = source === 'measured' ? sureOf(step) : ''
  return `${Math.floor(step.confidence * 100)} % sure${of}${source ? `, ${SOURCES[source] ?? source}` : ''}`
}

interface LookInputs {
  fields?: Record<string, { measure?: string; of?: string }>
  rules?: { when?: object }[]
}

/** A count is measured as something being there, or nothing: how many there are is not what the box is sure of. */
function sureOf({ inputs, fields, rule }: Judged): string {
  const look = (inputs ?? {}) as LookInputs
  const read = (look.rules ?? []).slice(0, (rule ?? -1) + 1).flatMap(({ when }) => Object.keys(when ?? {}))
  const counted = [...new Set(read)].filter(name => look.fields?.[name]?.measure === 'count')
  const [name] = counted
  if (name === undefined) return ''
  if (new Set(read).size > 1) return ' of what is there, not of how many'
  const thing = look.fields?.[name]?.of ?? 'thing'
  const none = fields?.[name] === 0
  if (thing === 'person') return ` that ${none ? 'nobody' : 'somebody'} is there`
  return ` that ${none ? 'no' : /^[aeiou]/.test(thing) ? 'an' : 'a'} ${thing} is there`
}

const UNSURE: Record<string, string> = {
  below_floor: 'Not sure enough',
  llm_down: 'No language model to ask',
  over_budget: 'Took too long',
  invalid_output: 'The model gave no usable answer',
  no_rule: 'No rule fits',
  stale_picture: 'The picture is too old',
  no_picture: 'No picture that can be used',
  vision_down: 'The detector is not available',
}
export const unsure = (reason: string): string => UNSURE[reason] ?? label(reason)

/** A field's value, as people write it. */
export function value(it: unknown): string {
  if (it === null || it === undefined) return 'not known'
  if (it === true) return 'yes'
  if (it === false) return 'no'
  if (it === '') return 'none'
  return typeof it === 'object' ? JSON.stringify(it) : String(it)
}

/** Who answered a question or took a call, or that nobody did; null: it is none, or still open. */
export function answered({
  kind,
  status,
  result,
}: Pick<StepView, 'kind' | 'status' | 'result'>): string | null {
  if (!['ask_person', 'call'].includes(kind) || status === 'waiting') return null
  const { answer, answered_by, message, would_ask, would_call } = (result ?? {}) as Record<string, unknown>
  if (typeof answered_by !== 'string') return null
  if (kind === 'call') {
    if (would_call) return 'In Test nobody is called.'
    return answered_by ? `Taken by ${answered_by}` : typeof message === 'string' ? message : null
  }
  if (answered_by) return `Answered by ${answered_by}`
  const instead = typeof answer === 'string' ? `, so “${answer}” counts` : ''
  return would_ask ? `In Test nobody is asked${instead}.` : `Nobody answered${instead}.`
}

/** The one line that tells most about what a step was given to do. */
export function gist(inputs: unknown): string | null {
  if (typeof inputs === 'string') return inputs
  if (inputs === null || typeof inputs !== 'object') return null
  const given = inputs as Record<string, unknown>
  for (const key of ['title', 'message', 'text', 'log', 'reply', 'to', 'for', 'wait', 'preset', 'service']) {
    const line = given[key]
    if (typeof line === 'string' && line) return line
  }
  return null
}

/** Who is called, and what for: `role:guard: Find out who it is`. */
export function calling(inputs: unknown): string | null {
  const { who, goal } = (inputs ?? {}) as { who?: string | string[]; goal?: string }
  return [[who ?? []].flat().join(', '), goal].filter(Boolean).join(': ') || null
}

/** Whether a model decided in a step: an AI step, or what was said in a call. */
export const decides = ({ kind, fields }: Pick<StepView, 'kind' | 'fields'>): boolean =>
  kind === 'ai' || (kind === 'call' && fields !== null)

/** `< 1 ms`, `340 ms`, `2.4 s`, `3 min`. */
export function took(ms: number): string {
  if (ms < 1) return '< 1 ms'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.round(ms / 60_000)} min`
}

/** The time of day in the site's zone, with the day in front where it is not today's. */
export function clock(iso: string, zone: string, now = new Date()): string {
  const at = new Date(iso)
  const format = (options: Intl.DateTimeFormatOptions, date: Date) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(date)
  const day = (date: Date) => format({ day: 'numeric', month: 'short', year: 'numeric' }, date)
  const time = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }, at)
  return day(at) === day(now) ? time : `${format({ day: 'numeric', month: 'short' }, at)}, ${time}`
}
