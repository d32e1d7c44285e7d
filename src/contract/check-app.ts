/** What is given to an action of an app, held against what its manifest asks for. */
import type { CheckContext } from './context.ts'
import { nearest } from './nearest.ts'
import { placeholdersIn } from './placeholders.ts'
import type { AppParam, Json } from './types.ts'

export interface AppFault {
  /** The parameter, or null where one is missing. */
  param: string | null
  message: string
}

const isNumber = (value: Json) => typeof value === 'number'
const isMap = (value: Json) => value !== null && typeof value === 'object' && !Array.isArray(value)

/** Each type under the names by which manifests call it. What they call otherwise is theirs to judge. */
const TYPES: readonly [names: readonly string[], is: (value: Json) => boolean, words: string][] = [
  [['str', 'string', 'text'], value => typeof value === 'string', 'a text (put it in quotes)'],
  [['int', 'integer'], value => Number.isInteger(value), 'a whole number'],
  [['float', 'number'], isNumber, 'a number'],
  [['bool', 'boolean'], value => typeof value === 'boolean', 'true or false'],
  [['list', 'array'], value => Array.isArray(value), 'a list'],
  [['dict', 'object'], isMap, 'a map'],
]

/**
 * Everything in which parameters differ from what an action asks for. A text with placeholders may become anything,
 * unless they are `filled`.
 */
export function appFaults(
  given: { [name: string]: Json },
  asked: ReadonlyMap<string, AppParam>,
  { filled = false }: { filled?: boolean } = {},
): AppFault[] {
  const faults = Object.entries(given).flatMap(([param, value]): AppFault[] => {
    const open = !filled && typeof value === 'string' && placeholdersIn(value).length > 0
    const message = faultOf(param, open ? null : value, asked)
    return message === null ? [] : [{ param, message }]
  })
  for (const [name, { required }] of asked)
    if (required && !Object.hasOwn(given, name))
      faults.push({ param: null, message: `needs ${name}: add it` })
  return faults
}

/** `value`: null where it is not known yet. */
function faultOf(name: string, value: Json, asked: ReadonlyMap<string, AppParam>): string | null {
  const param = asked.get(name)
  if (!param) {
    const names = [...asked.keys()]
    const meant = nearest(name, names)
    const hint = meant
      ? `did you mean ${meant}?`
      : names.length
        ? `it takes ${names.join(', ')}`
        : 'it takes none'
    return `does not take ${name}: ${hint}`
  }
  if (value === null) return null
  const type = TYPES.find(([names]) => names.includes(param.type))
  if (type && !type[1](value)) return `takes ${type[2]} for ${name}`
  const { choices } = param
  if (choices && !choices.includes(value)) return `takes one of ${choices.map(String).join(', ')} for ${name}`
  return null
}

/** Is the action there, and is it given what it asks for? Apps of which nobody told what they do are not judged. */
export function checkApp(
  { id, action, params = {} }: { id: string; action: string; params?: { [name: string]: Json } },
  path: string,
  { site, report }: CheckContext,
): void {
  const actions = site?.apps.get(id)
  if (!actions && site?.appsUnknown)
    report({
      severity: 'warning',
      code: 'app_unchecked',
      path: `${path}.id`,
      message: `Whether the NVR has the app ${id} could not be checked yet: what it does counts as a move until then.`,
    })
  if (!actions) return
  const known = actions.get(action)
  if (!known) {
    const names = [...actions.keys()]
    const hint = names.length ? `use one of ${names.join(', ')}` : 'it has none'
    const message = `The app ${id} has no action ${action}: ${hint}.`
    report({ severity: 'error', code: 'unknown_action', path: `${path}.action`, message })
    return
  }
  for (const { param, message } of known.params ? appFaults(params, known.params) : [])
    report({
      severity: 'error',
      code: 'app_params',
      path: param === null ? path : `${path}.params.${param}`,
      message: `${id}: ${action} ${message}.`,
    })
}

/** An alert of an app that raises none never comes. Others than apps may raise alerts, too: no more than a warning. */
export function checkSource(source: string, path: string, { site, report }: CheckContext): void {
  const known = site?.alertSources
  if (!known || source.startsWith('workflow.') || site.plainAlertSources.has(source)) return
  const name = source.slice(source.indexOf('.') + 1)
  if (known.has(name)) return
  const meant = nearest(name, [...known])
  const hint = meant ? `did you mean ${meant}?` : 'is it one that the NVR has not heard of?'
  const message = `No app of the NVR says that it raises alerts as ${name}: ${hint}`
  report({ severity: 'warning', code: 'unknown_source', path: `${path}.source`, message })
}
