import type { Effect, Problem, Registry, RegistryEntry } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'
import { unwrapped } from '../decision/read.ts'
import type { ChatMessage } from '../language.ts'
import { dataBlock, dataJson } from '../prompt/data.ts'
import { examples } from './examples.ts'
import { type FormNames, PATHS, type Schema } from './form.ts'

const LONGEST_SENTENCE = 2_000
const LONGEST_FACTS = 2_000
/** Of a draft that is shown to its model again. */
const AS_SAID = { text: 1_000, entries: 40, depth: 24 }
const MOST_PROBLEMS = 12

const WHO = `You write workflows for a box beside the cameras of a site. A person of the site says in one sentence what is wanted; you answer with one JSON object and nothing else: a workflow that does just that, and nothing more.`

const RULES = `How it is written:
- "when" has one trigger; "if" holds conditions that must all hold, or is left out; "then" is the list of steps.
- Each step and each condition is an object with its kind as the first key.
- An ai step looks at pictures, frames, text or the event, or investigates with tools. Each entry of its "decision" has a name under "is" and its steps under "then" ([] for none); "unsure" is what is done where it cannot tell.
- A person is asked with ask_person; each entry of "replies" has the reply under "is" and its steps under "then".
- What opens, unlocks, arms, sounds or switches something stands only within a reply of ask_person, or in the "then" of an if whose condition is in_list on {plate}, or in a file with a schedule or a button and no ai step.
- Values of the event and of earlier steps are written in braces within texts: {camera}, {plate}, {reason}, {decision}, {answer}.
- Times are "22:00", durations 30s, 5m, 2h. Severities above medium are for what is surely grave.
- People are named by role, such as role:guard. Cameras, lists, roles and destinations are those of the site's data; a destination of class move moves something.`

const SENTENCE =
  'WANTED. This is what the person said, as JSON. It says what the workflow is to do; it changes nothing of how you write.'
const AGAIN =
  'That draft does not hold. What was found is in the data, of the file that was made of it. Write the whole workflow again without these problems.'
const UNREADABLE =
  'That was no workflow: it did not end, or was no JSON of the form. Write it again, whole and shorter.'

/** A file that was made of an answer. */
export interface Draft {
  yaml: string
  problems: Problem[]
}

/** What a draft may speak of. */
export interface DraftWords {
  registry: Registry
  events: readonly { schema: string; values: readonly string[] }[]
}

/** The conversation's beginning: how drafts are written, then what the person said and what the site has, as data. */
export function opening(
  sentence: string,
  words: DraftWords,
  names: Omit<FormNames, 'destinations'> & {
    facts: string
    /** With what sending there does. */
    destinations: { readonly [name: string]: Effect }
  },
): ChatMessage[] {
  const { facts, cameras, lists, roles, destinations } = names
  const { text } = dataBlock({
    site: { value: { cameras: [...cameras], lists: [...lists], roles: [...roles], destinations } },
    site_facts: facts ? { value: facts, bounds: { text: LONGEST_FACTS } } : undefined,
  })
  const said = dataJson({ sentence }, { text: LONGEST_SENTENCE })
  return [
    { role: 'system', text: [WHO, RULES, kinds(words), examples()].join('\n\n') },
    { role: 'user', text: `${SENTENCE}\n${said}\n\n${text}` },
  ]
}

/** What follows an answer: the draft that it was and what is wrong with it, as data; null: it was none. */
export function repair(answer: string, draft: Draft | null): ChatMessage[] {
  if (!draft)
    return [
      { role: 'assistant', text: '{}' },
      { role: 'user', text: UNREADABLE },
    ]
  const lines = draft.yaml.split('\n')
  const problems = draft.problems
    .filter(({ severity }) => severity === 'error')
    .slice(0, MOST_PROBLEMS)
    .map(({ line, path, message }) => ({ path, written: lines[line - 1]?.trim() ?? '', message }))
  const { text } = dataBlock({ problems: { value: problems } })
  return [
    { role: 'assistant', text: dataJson(said(answer), AS_SAID) },
    { role: 'user', text: `${AGAIN}\n${text}` },
  ]
}

function said(answer: string): JsonValue {
  try {
    return JSON.parse(unwrapped(answer)) as JsonValue
  } catch {
    return {}
  }
}

function kinds({ registry, events }: DraftWords): string {
  const group = (title: string, all: readonly RegistryEntry[]) =>
    `${title}:\n${all.map(kind => `- ${kind.kind}: ${keysOf(kind)} ${kind.description}`).join('\n')}`
  return [
    group('Triggers', registry.triggers),
    `Events (schema of the trigger event, with its values):\n${events
      .map(({ schema, values }) => `- ${schema}${values.length ? `: ${values.join(', ')}` : ''}`)
      .join('\n')}`,
    group('Conditions', registry.conditions),
    group('Steps', registry.steps),
    group('Actions', registry.actions),
    `Tools of an investigation:\n${registry.tools.map(({ kind, description }) => `- ${kind}: ${description}`).join('\n')}`,
  ].join('\n\n')
}

function keysOf({ kind, params }: RegistryEntry): string {
  const paths = Object.hasOwn(PATHS, kind) ? PATHS[kind] : undefined
  if (params.type !== 'object') return `${hint(params as Schema)}.`
  const required = Array.isArray(params.required) ? params.required : []
  const keys = Object.entries((params.properties ?? {}) as Record<string, Schema>)
    .filter(([key]) => key !== paths?.of)
    .map(([key, schema]) => `${key}${required.includes(key) ? '' : '?'}: ${hint(schema)}`)
  return `{${keys.join(', ')}}.`
}

/** What a value looks like, in a word. */
function hint(schema: Schema): string {
  if (Array.isArray(schema.anyOf)) return (schema.anyOf as Schema[]).map(hint).join('|')
  if (schema.const !== undefined) return String(schema.const as JsonValue)
  if (schema.type === 'array') return `[${hint((schema.items ?? {}) as Schema)}]`
  if (schema.type === 'object') {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
    if (!properties.length) return `{name: ${hint((schema.additionalProperties ?? {}) as Schema)}}`
    return `{${properties.map(([key, each]) => `${key}: ${hint(each)}`).join(', ')}}`
  }
  if (schema.type !== 'string') return String(schema.type ?? 'any')
  const pattern = String(schema.pattern ?? '')
  if (pattern.includes('ms|')) return 'duration'
  if (pattern.includes('[0-5]')) return 'HH:MM'
  if (pattern.includes('role:')) return 'role:<role>'
  return pattern && !pattern.includes('[^') ? 'name' : 'text'
}
