/** The subjects of the NVR: which of them the workflows need, and whether a message is what its subject says. */
import type { IncomingEvent } from '../../core/index.ts'
import type { ListensFor } from '../../engine/index.ts'

const EVENTS = 'opennvr.events.'
const ALERTS = 'opennvr.alerts.'
const ALERT_FIRED = 'alert.fired.v1'
const ALL = '*'

/** A name as one token of a subject, as the NVR writes it. */
export function tokenOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_').replaceAll(/^_+|_+$/g, '') || 'unknown'
}

/** The subjects of the events and alerts that workflows need, none of which takes in another. */
export function subjectsOf(listens: readonly ListensFor[]): string[] {
  const subjects = new Set<string>()
  const add = (schema: string, alerts: readonly string[]) => {
    if (schema === ALL) subjects.add(`${EVENTS}>`)
    else subjects.add(`${EVENTS}${schema}.*`)
    if (schema === ALL || schema === ALERT_FIRED) for (const subject of alerts) subjects.add(subject)
  }
  for (const { kind, params, looks_back } of listens) {
    if (kind === 'event') add(String(params.schema), [`${ALERTS}>`])
    if (kind === 'alert') add(ALERT_FIRED, alertsOf(params.source))
    for (const schema of looks_back) add(schema, [`${ALERTS}>`])
  }
  return [...subjects].filter(one => ![...subjects].some(other => other !== one && covers(other, one))).sort()
}

/** A file says an app's name, `<kind>.<name>`, `workflow.<slug>`, or a list of these; nothing means everyone. */
function alertsOf(source: unknown): string[] {
  if (source === undefined) return [`${ALERTS}>`]
  return (Array.isArray(source) ? source : [source]).map(String).flatMap(name => {
    const [kind = '', rest] = [name.split('.', 1)[0], name.slice(name.indexOf('.') + 1)]
    const whole = `${ALERTS}*.${tokenOf(name)}.*`
    if (rest === name) return [whole]
    const exact = `${ALERTS}${tokenOf(kind)}.${tokenOf(rest)}.*`
    return kind === 'workflow' ? [exact] : [exact, whole]
  })
}

/** Whether every message of `inner` comes by `outer` too. */
export function covers(outer: string, inner: string): boolean {
  const [wide, narrow] = [outer.split('.'), inner.split('.')]
  for (const [i, token] of wide.entries()) {
    if (token === '>') return narrow.length > i
    const other = narrow[i]
    if (other === undefined || other === '>' || (token !== '*' && token !== other)) return false
  }
  return wide.length === narrow.length
}

/**
 * Whether an event is what its subject says. A server allows its users subjects, not words in messages: who may
 * publish alerts of one app only shall not decide about access in the name of another.
 */
export function agrees(subject: string, event: IncomingEvent): boolean {
  const tokens = subject.split('.')
  const camera = tokens.at(-1) ?? ''
  if (event.cameraId !== null && tokenOf(event.cameraId) !== tokenOf(camera)) return false
  if (subject.startsWith(EVENTS)) return tokens.slice(2, -1).join('.') === event.schema
  if (!subject.startsWith(ALERTS) || event.kind !== 'alert' || tokens.length !== 5) return false
  const [, , kind = '', name = ''] = tokens
  return isSource(event.source ?? 'unknown', kind, name)
}

/** A source says `<kind>.<name>` or just a name; one that says nothing claims nothing. */
function isSource(source: string, kind: string, name: string): boolean {
  if (source === 'unknown' || source === 'unknown.unknown') return true
  const dot = source.indexOf('.')
  if (dot < 0) return tokenOf(source) === name
  return tokenOf(source.slice(0, dot)) === kind && tokenOf(source.slice(dot + 1)) === name
}
