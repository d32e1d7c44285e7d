import { printYaml } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'
import { unwrapped } from '../decision/read.ts'
import { ENTRY, PATHS } from './form.ts'

type Map = { [key: string]: JsonValue }

/** More than any draft has. */
const LONGEST_ANSWER = 64_000
const DEEPEST = 12
const HEAD = ['name', 'description', 'limits', 'when', 'if', 'then', 'always']
const LISTS = ['if', 'then', 'always']
/** In place of people by name: a role of which a site is asked. */
const SOMEBODY = 'role:recipient'

/** A file out of what a model answered; null: it is no draft. Whether the file holds is for the contract to say. */
export function readDraft(text: string): string | null {
  if (text.length > LONGEST_ANSWER) return null
  let said: unknown
  try {
    said = JSON.parse(unwrapped(text))
  } catch {
    return null
  }
  if (!isMap(said) || !Array.isArray(said.then)) return null
  const kept = HEAD.flatMap((key): [string, JsonValue][] => {
    const value = Object.hasOwn(said, key) ? said[key] : undefined
    return value === undefined || value === null ? [] : [[key, value]]
  })
  const members = kept.flatMap(([key, value]): [string, JsonValue][] => {
    const is = LISTS.includes(key) ? listOf(value) : value
    if (Array.isArray(is) && !is.length && key !== 'then') return []
    return [[key, key === 'if' ? is : Array.isArray(is) ? is.map(each => step(each, 0)) : is]]
  })
  const { name, description, ...rest } = Object.fromEntries(members)
  const head = {
    contract: 'workflow.v1',
    name: name ?? '',
    ...(description !== undefined && { description }),
  }
  return printYaml({ ...head, state: 'test', ...nobodyByName(rest, 0) })
}

/** A step of the form as a step of the file. One that is of the file already stays as it is. */
function step(it: JsonValue, depth: number): JsonValue {
  if (!isMap(it) || depth > DEEPEST) return it
  const inner = (steps: JsonValue): JsonValue => listOf(steps).map(each => step(each, depth + 1))
  const kind = Object.keys(it).find(key => key !== 'name') ?? ''
  const params = it[kind] ?? null
  const paths = Object.hasOwn(PATHS, kind) ? PATHS[kind] : undefined
  const outcomes = paths && entriesOf((paths.place === 'inside' && isMap(params) ? params : it)[paths.of])
  const ways = (outcomes ?? []).map(([name, steps]): [string, JsonValue] => [name, inner(steps)])
  const names = outcomes?.map(([name]) => name)
  const beside = Object.entries(it)
    .filter(([key]) => key !== kind && !(outcomes && paths.place === 'beside' && key === paths.of))
    .map(([key, value]): [string, JsonValue] => [key, key === 'name' ? value : inner(value)])
  if (!isMap(params)) return Object.fromEntries([[kind, params], ...beside])
  if (paths?.place !== 'inside') {
    const own = kind === 'for_each' && params.do !== undefined ? { ...params, do: inner(params.do) } : params
    const asked = names && paths ? { ...own, [paths.of]: names } : own
    // A reply after which nothing is done needs no path.
    return Object.fromEntries([
      [kind, asked],
      ...ways.filter(([, steps]) => Array.isArray(steps) && steps.length > 0),
      ...beside,
    ])
  }
  const own = Object.entries(params).map(([key, value]): [string, JsonValue] => {
    if (key === paths.of) return [key, names ?? value]
    return [key, isPath(key, value, paths.also) ? inner(value) : value]
  })
  // A decision named like a parameter has no path: the contract says so.
  const free = ways.filter(([name]) => !Object.hasOwn(params, name))
  return Object.fromEntries([[kind, Object.fromEntries([...own, ...free])], ...beside])
}

/** Whether a key within an AI step is a path, where a model wrote it as the file has it. */
function isPath(key: string, value: JsonValue, also: readonly string[]): boolean {
  return also.includes(key) || (key !== 'rules' && Array.isArray(value) && value.every(isMap))
}

/** Names with their steps; null: it is none of the form's lists. */
function entriesOf(value: JsonValue | undefined): [string, JsonValue][] | null {
  if (!Array.isArray(value) || !value.every(isMap)) return null
  return value.map(entry => [String(entry[ENTRY.name] ?? ''), entry[ENTRY.steps] ?? []])
}

/** A draft names roles only: who a person is, people say. */
function nobodyByName(value: Map, depth: number): Map {
  const named = (one: JsonValue) => (typeof one === 'string' && one.startsWith('person:') ? SOMEBODY : one)
  const within = (each: JsonValue): JsonValue => {
    if (Array.isArray(each)) return each.map(within)
    return isMap(each) && depth < 4 * DEEPEST ? nobodyByName(each, depth + 1) : each
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === 'who' ? (Array.isArray(each) ? each.map(named) : named(each)) : within(each),
    ]),
  )
}

const listOf = (value: JsonValue): JsonValue[] => (Array.isArray(value) ? value : [value])

const isMap = (value: unknown): value is Map =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
