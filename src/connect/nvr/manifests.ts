/** App manifests, as the NVR's registry lists them: read, bounded, and nothing believed that is not said plainly. */
import type { AppParam } from '../../contract/index.ts'
import { cut, GatehouseError, type JsonValue } from '../../core/index.ts'
import { cleanJson } from '../../kinds/index.ts'
import { NVR } from './http.ts'

const MOST_APPS = 64
const MOST_ACTIONS = 32
const MOST_PARAMS = 32
const MOST_CHOICES = 64
const LONGEST = 100
/** As much as is remembered of all apps together, as JSON. */
const MOST_CHARS = 256 * 1024
const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/

/** What is remembered of an app: plain JSON. */
export interface Manifest {
  id: string
  name: string
  raises: boolean
  actions: ManifestAction[]
}

export interface ManifestAction {
  name: string
  label: string
  /** Its manifest says `confirm: false`, and nothing else would do. */
  informing: boolean
  params: ({ name: string } & AppParam)[]
}

type Fields = { readonly [key: string]: JsonValue }

/** The apps in an answer of the registry, by their ids. Throws where it is none. */
export function manifestsIn(answer: unknown): Manifest[] {
  const listed = Array.isArray(answer) ? answer : (answer as { apps?: unknown } | null)?.apps
  if (!Array.isArray(listed))
    throw new GatehouseError('bad_answer', `${NVR} did not say which apps it has.`, { status: 502 })
  const found = new Map<string, Manifest>()
  let left = MOST_CHARS
  for (const each of listed.slice(0, MOST_APPS)) {
    const manifest = manifestIn(each)
    left -= manifest ? JSON.stringify(manifest).length : 0
    if (manifest && left >= 0 && !found.has(manifest.id)) found.set(manifest.id, manifest)
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Null for what is no app, or too much to be one. */
function manifestIn(given: unknown): Manifest | null {
  const app = fieldsIn(given)
  const manifest = app && (fieldsIn(app.manifest) ?? app)
  const id = nameIn(manifest?.id ?? app?.id)
  if (!manifest || id === null) return null
  const actions = new Map<string, ManifestAction>()
  for (const each of listIn(manifest.actions, MOST_ACTIONS)) {
    const action = actionIn(each)
    if (!action) continue
    const twin = actions.get(action.name)
    actions.set(action.name, twin ? { ...twin, informing: twin.informing && action.informing } : action)
  }
  const raises = listIn(manifest.emits, 1).length > 0
  return { id, name: textIn(manifest.name) ?? id, raises, actions: [...actions.values()] }
}

function actionIn(given: JsonValue): ManifestAction | null {
  const action = fieldsIn(given)
  const name = nameIn(action?.name)
  if (!action || name === null) return null
  const params = listIn(action.params, MOST_PARAMS).flatMap(each => paramIn(each) ?? [])
  return { name, label: textIn(action.label) ?? name, informing: action.confirm === false, params }
}

function paramIn(given: JsonValue): ({ name: string } & AppParam) | null {
  const param = fieldsIn(given)
  const name = textIn(param?.name)
  if (!param || name === null) return null
  const choices = listIn(param.choices, MOST_CHOICES).filter(
    each => each === null || typeof each !== 'object',
  )
  return {
    name,
    type: textIn(param.type) ?? '',
    required: param.required === true && (param.default ?? null) === null,
    choices: choices.length ? choices : null,
  }
}

function fieldsIn(value: unknown): Fields | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null
  try {
    return cleanJson(value) as Fields
  } catch {
    return null
  }
}

function listIn(value: JsonValue | undefined, most: number): JsonValue[] {
  return Array.isArray(value) ? value.slice(0, most) : []
}

function nameIn(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && NAME.test(value) ? value : null
}

function textIn(value: JsonValue | undefined): string | null {
  return typeof value === 'string' && value.trim() ? cut(value.trim(), LONGEST) : null
}
