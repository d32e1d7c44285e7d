import { parse, stringify } from 'yaml'
import { messageOf } from '../../core/index.ts'
import type { RunView } from '../../engine/index.ts'

const GONE = '(removed)'
const SECRET = /pass|secret|token|api_?key|^key$|seed|credential|authori[sz]ation|cookie|sign/i
const PERSONAL = /^(user|username|login|email|phone|to|from|topic|recipients?|client_id)$/i
/** What a value is compared with: a plate, a name. */
const OPERANDS = ['is', 'is_not', 'in', 'contains_any']

type Json = null | string | number | boolean | Json[] | { [key: string]: Json }

/**
 * A site file as far as it helps: what there is and how it hangs together. No secret, no account, of addresses only
 * their host, of people only how many and in which roles, of lists only how long they are, no free text about the site.
 */
export function siteSkeleton(text: string): string {
  return skeleton(text, data =>
    entries(data, (key, value) => {
      if (key === 'facts') return typeof value === 'string' ? `${GONE}: ${value.length} characters` : GONE
      if (key === 'lists') return entries(value, (_name, list) => sizeOf(list))
      if (key === 'people') return { count: sizeOf(value), roles: rolesIn(value) }
      if (key === 'faces')
        return entries(value, (name, it) => (name === 'people' ? sizeOf(it) : stripped(it)))
      if (key === 'home_assistant' || key === 'alerts') return keysOf(value)
      return stripped(value)
    }),
  )
}

/**
 * A workflow without comments, without what its conditions compare plates and names with, and without what is sent along
 * to open something.
 */
export function workflowSkeleton(text: string): string {
  return skeleton(text, withoutOperands)
}

/** A run as far as it helps: what was done, when, and how that came out; not with what. */
export function runSkeleton(run: RunView) {
  const { id, workflow, version, state, status, trigger, started_at, ended_at, seen_again, steps } = run
  return {
    ...{ id, workflow: workflow.slug, version, state, status, trigger: trigger.kind, started_at, ended_at },
    ...{ seen_again, pictures: run.pictures.length },
    steps: steps.map(step => ({
      ...{
        seq: step.seq,
        path: step.path,
        kind: step.kind,
        status: step.status,
        started_at: step.started_at,
      },
      ...{ ms: step.ms, model: step.model, confidence: step.confidence, unsure: step.unsure_reason },
      code: codeOf(step.result),
      tool_calls: step.tool_calls.map(({ kind, name, status, ms }) => ({ kind, name, status, ms })),
    })),
  }
}

function codeOf(result: unknown): string | null {
  const code = result !== null && typeof result === 'object' && 'code' in result ? result.code : null
  return typeof code === 'string' && /^[a-z0-9_]{1,40}$/.test(code) ? code : null
}

function skeleton(text: string, of: (data: Json) => Json): string {
  try {
    return stringify(of(parse(text, { logLevel: 'silent', schema: 'failsafe' }) as Json))
  } catch (error) {
    return `# It is no YAML, so nothing of it is here: ${messageOf(error).split('\n')[0]}\n`
  }
}

function stripped(value: Json): Json {
  if (typeof value === 'string') return withoutPath(value)
  return entries(value, (key, it) => {
    if (key === 'headers') return keysOf(it)
    return SECRET.test(key) || PERSONAL.test(key) ? GONE : stripped(it)
  })
}

function withoutOperands(value: Json): Json {
  return entries(value, (key, it) => {
    if (OPERANDS.includes(key) && /\d|person:/.test(JSON.stringify(it))) return GONE
    if (key === 'where') return keysOf(it)
    return SECRET.test(key) && isSimple(it) ? GONE : withoutOperands(it)
  })
}

/** What is in the way to a place behind its host may be a secret, too. */
function withoutPath(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text
  try {
    const { protocol, host } = new URL(text)
    return `${protocol}//${host}/…`
  } catch {
    return GONE
  }
}

function entries(value: Json, of: (key: string, value: Json) => Json): Json {
  if (Array.isArray(value)) return value.map(each => (isSimple(each) ? of('', each) : entries(each, of)))
  if (isSimple(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, of(key, it)]))
}

const isSimple = (value: Json): value is Exclude<Json, object> | null =>
  value === null || typeof value !== 'object'

const keysOf = (value: Json): Json => (isSimple(value) ? GONE : Object.keys(value))

const sizeOf = (value: Json): number => (isSimple(value) ? 1 : Object.keys(value).length)

function rolesIn(people: Json): Json {
  if (isSimple(people)) return []
  const roles = Object.values(people).flatMap(it =>
    !isSimple(it) && !Array.isArray(it) && Array.isArray(it.roles) ? it.roles : [],
  )
  return [...new Set(roles.filter(each => typeof each === 'string'))].sort()
}
