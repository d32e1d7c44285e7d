/** One step: its parameters and its paths. */

import type { ActionDescriptor, StepDescriptor } from './kind.ts'
import { STEP_KINDS } from './kinds/index.ts'
import { nearest } from './nearest.ts'
import { readCondition, readConditions } from './read-condition.ts'
import type { ReadContext } from './read-context.ts'
import { readParams } from './read-node.ts'
import { replaceRange } from './reporter.ts'
import { addKey } from './shape.ts'
import { type Entry, entryOf, type Src, type SrcMap, toJson } from './source.ts'
import { keyPath } from './tree.ts'
import type { Condition, Json, NodePath, Step, StepKind } from './types.ts'

/** The kind of a step, what stands under it, and what stands beside it. */
export interface StepSource {
  descriptor: StepDescriptor | ActionDescriptor
  map: SrcMap
  kind: Entry
  beside: Entry[]
  path: NodePath
}

/** Reads a list of steps at its path: handed down, for a path holds steps that have paths. */
export type ReadSteps = (src: Src, path: NodePath, context: ReadContext) => Step[]

type Params = { [key: string]: Json | Condition | undefined }

/** Reads a step that does something and goes on; undefined where its parameters do not fit. */
export function readAction(source: StepSource, context: ReadContext): Step | undefined {
  const { kind, beside, path } = source
  const descriptor = source.descriptor as ActionDescriptor
  strangers(beside, [], source, context)
  const { params, faults } = readParams(descriptor, kind.value, keyPath(path, kind.key), context)
  return faults.size === 0 ? { kind: kind.key as StepKind, params, paths: {} } : undefined
}

/**
 * Reads a step that branches, waits or asks. Where parameters do not fit, harmless ones stand in, so that what is on
 * its paths is checked all the same.
 */
export function readFlow(source: StepSource, context: ReadContext, readSteps: ReadSteps): Step {
  const { kind, path } = source
  const descriptor = source.descriptor as StepDescriptor
  const [own, inside] = splitInside(descriptor, kind.value)
  const params = flowParams(descriptor, withoutPaths(own, source, context), source, context)
  const { place, required, optional } = descriptor.paths(params)
  const known = [...required, ...optional]
  const reserved = checkPathNames(descriptor, place, params, source, context)
  const paths: Step['paths'] = {}
  const add = (entry: Entry, at: string) => {
    paths[entry.key] = readSteps(entry.value, at, context)
  }
  const given = place === 'inside' ? inside : source.beside
  for (const entry of given.filter(({ key }) => known.includes(key))) {
    const at = keyPath(path, entry.key)
    if (place === 'inside') {
      context.inside.set(at, entry.value)
      context.renamed.push([keyPath(keyPath(path, kind.key), entry.key), at])
    }
    add(entry, at)
  }
  strangers(source.beside, place === 'beside' ? known : [], source, context)
  if (place === 'inside') insideStrangers(inside, known, source, context)
  const due = required.filter(outcome => !reserved.has(outcome))
  missing(due, given, place, source, context)
  return { kind: kind.key as StepKind, params, paths }
}

/** The entries of a kind's map that are parameters, and those that are paths or unknown. */
function splitInside(descriptor: StepDescriptor, src: Src): [Src, Entry[]] {
  if (src.type !== 'map' || descriptor.params.type !== 'object') return [src, []]
  const isParam = ({ key }: Entry) => Object.hasOwn(descriptor.params.properties, key)
  const isOpen = descriptor.kind === 'ai' || descriptor.kind === 'for_each'
  if (!isOpen) return [src, []]
  const own: SrcMap = { ...src, entries: src.entries.filter(isParam) }
  return [own, src.entries.filter(entry => !isParam(entry))]
}

function flowParams(descriptor: StepDescriptor, src: Src, source: StepSource, context: ReadContext): Params {
  const at = keyPath(source.path, source.kind.key)
  if (descriptor.kind === 'if') {
    return readConditions(src, at, context) as unknown as Params
  }
  const { params, faults } = readParams(descriptor, src, at, context)
  const fits = faults.size === 0
  if (!fits) context.valuesUnknown ||= descriptor.kind !== 'wait' && descriptor.kind !== 'wait_for'
  const until = descriptor.kind === 'wait_for' ? entryOf(src, 'until') : undefined
  if (descriptor.kind !== 'wait_for') return fits ? (params as Params) : standIn(descriptor.kind, src, faults)
  const condition = until ? readCondition(until.value, `${at}.until`, context) : undefined
  if (!condition) context.guardsUnknown = true
  const base = fits ? (params as Params) : standIn('wait_for', src, faults)
  return { ...base, until: condition ?? { kind: 'all', params: [] } }
}

const STAND_IN: Readonly<Record<string, Json>> = {
  ai: { mode: 'look', prompt: '-', input: 'event', decision: [] },
  for_each: {},
  ask_person: { who: [], message: '-', replies: [], timeout: '1m' },
  call: { who: [], goal: '-', outcomes: [], timeout: '1m' },
  wait: '1s',
  wait_for: { every: '1s', timeout: '1m' },
}

/** What fits of the parameters, over something harmless. */
function standIn(kind: string, src: Src, faults: ReadonlySet<string>): Params {
  const base = STAND_IN[kind] as Params
  if (src.type !== 'map') return base
  const fitting = src.entries.filter(({ key }) => !faults.has(key))
  const key = PATH_NAMES[kind]
  const names = key && faults.has(key) ? entryOf(src, key)?.value : undefined
  return {
    ...base,
    ...Object.fromEntries(fitting.map(({ key, value }) => [key, toJson(value)])),
    ...(key && names?.type === 'list' && { [key]: textsOf(names.items) }),
  }
}

/** The parameter that names the paths of a step. */
export const PATH_NAMES: Readonly<Record<string, string>> = {
  ai: 'decision',
  ask_person: 'replies',
  call: 'outcomes',
}

/** Names of paths, those that lack quotes included. */
const textsOf = (items: readonly Src[]): string[] =>
  items.flatMap(item => (item.type === 'scalar' && item.value !== null ? [String(item.value)] : []))

/** The paths of a step that stand beside it, its own words aside. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  ask_person: ['no_answer'],
  call: ['no_answer'],
  wait_for: ['met'],
}

/** Parameters without the paths that an author put among them: those are named, and where they belong is said. */
function withoutPaths(src: Src, { descriptor: { kind }, path }: StepSource, context: ReadContext): Src {
  const paths = BESIDE[kind]
  if (!paths || src.type !== 'map') return src
  const names = entryOf(src, PATH_NAMES[kind] ?? '')?.value
  const known = [...paths, ...(names?.type === 'list' ? textsOf(names.items) : [])]
  const isPath = ({ key, value }: Entry) => known.includes(key) && value.type === 'list'
  for (const entry of src.entries.filter(isPath)) {
    const message = `The steps of ${entry.key} stand beside ${kind}:, not inside it: write ${entry.key}: in line with ${kind}:.`
    context.keyError('path_inside', keyPath(keyPath(path, kind), entry.key), message, entry)
  }
  return { ...src, entries: src.entries.filter(entry => !isPath(entry)) }
}

/** Paths must be told apart from what else may stand in the same map. Answers with those that cannot be. */
function checkPathNames(
  descriptor: StepDescriptor,
  place: 'inside' | 'beside',
  params: Params,
  source: StepSource,
  context: ReadContext,
): Set<string> {
  const reserved = new Set<string>()
  const key = PATH_NAMES[descriptor.kind]
  const names = key ? params[key] : undefined
  const list = key ? entryOf(source.kind.value, key)?.value : undefined
  if (!key || !Array.isArray(names) || list?.type !== 'list') return reserved
  const taken =
    place === 'inside'
      ? [...Object.keys(descriptor.params.properties), 'unsure', 'ai']
      : [...STEP_KINDS, 'name', 'no_answer']
  list.items.forEach((item, index) => {
    const name = String(names[index])
    if (item.type !== 'scalar' || !(taken.includes(name) || name.normalize('NFC') in {})) return
    if (name !== 'unsure') reserved.add(name)
    const at = `${keyPath(keyPath(source.path, source.kind.key), key)}[${index}]`
    context.error(
      place === 'inside' ? 'reserved_decision' : 'reserved_reply',
      at,
      `${name} means something else in this place: choose another word.`,
      item,
    )
  })
  return reserved
}

/** Keys beside a step that nothing makes of. */
function strangers(
  entries: readonly Entry[],
  known: readonly string[],
  source: StepSource,
  context: ReadContext,
): void {
  for (const entry of entries) {
    if (known.includes(entry.key)) continue
    const belongs = source.kind.value.type === 'map' && isParam(source, entry.key)
    const hint = belongs ? `put it inside ${source.kind.key}.` : suggestion(entry.key, known, 'take it out')
    stranger(
      entry,
      `There is no ${entry.key} beside ${source.kind.key}: ${hint}`,
      known,
      source.path,
      context,
    )
  }
}

const isParam = ({ descriptor }: StepSource, key: string) =>
  descriptor.params.type === 'object' && Object.hasOwn(descriptor.params.properties, key)

function insideStrangers(
  entries: readonly Entry[],
  paths: readonly string[],
  source: StepSource,
  context: ReadContext,
): void {
  const params = Object.keys(source.descriptor.params.properties)
  const free = [...params, ...paths].filter(key => !entryOf(source.kind.value, key))
  for (const entry of entries) {
    if (paths.includes(entry.key)) continue
    const hint = suggestion(entry.key, free, 'make it a decision, or take it out')
    const at = keyPath(source.path, source.kind.key)
    stranger(entry, `There is no ${entry.key} in ${source.kind.key}: ${hint}`, free, at, context)
  }
}

const suggestion = (key: string, known: readonly string[], otherwise: string): string => {
  const meant = nearest(key, known)
  return meant ? `did you mean ${meant}?` : `${otherwise}.`
}

function stranger(
  entry: Entry,
  message: string,
  known: readonly string[],
  path: string,
  context: ReadContext,
) {
  const meant = nearest(entry.key, known)
  const plain = meant && /^[A-Za-z_][\w-]*$/.test(meant) ? meant : JSON.stringify(meant)
  const fix = meant ? replaceRange(`Change it to ${meant}`, entry.keyFrom, entry.keyTo, plain) : undefined
  context.keyError('unknown_key', keyPath(path, entry.key), message, entry, fix)
}

/** Paths that must be there: `unsure` above all. */
function missing(
  required: readonly string[],
  given: readonly Entry[],
  place: 'inside' | 'beside',
  source: StepSource,
  context: ReadContext,
): void {
  const map = place === 'inside' ? source.kind.value : source.map
  if (map.type === 'broken') return
  for (const path of required) {
    if (given.some(({ key }) => key === path)) continue
    context.error(
      'missing_path',
      keyPath(source.path, path),
      `${source.kind.key} needs a path for ${path}: add ${path}: [] where nothing is to be done.`,
      map,
      addKey(map, path, '[]', context.text),
    )
  }
}
