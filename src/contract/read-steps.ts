/** Lists of steps: one-kind maps, with their paths inside the kind's map or beside it. */
import { STEP_KINDS, stepKind } from './kinds/index.ts'
import { NAME } from './kinds/params.ts'
import { RESERVED_NAMES } from './kinds/reserved.ts'
import { nearest } from './nearest.ts'
import type { ReadContext } from './read-context.ts'
import { readAction, readFlow, type StepSource } from './read-step.ts'
import { replaceRange } from './reporter.ts'
import { type Entry, entryOf, type Src } from './source.ts'
import { keyPath } from './tree.ts'
import type { NodePath, Step } from './types.ts'

/** Stands where a step cannot be read, so that the others keep their places. */
const unreadable = (): Step => ({ kind: 'log', params: '-', paths: {} })

/** Reads a list of steps at a path such as `then` or `then[0].delivery`; what cannot be read is reported. */
export function readSteps(src: Src, path: NodePath, context: ReadContext): Step[] {
  if (src.type === 'list')
    return src.items.map((item, index) => readStep(item, `${path}[${index}]`, context) ?? unreadable())
  if (src.type === 'broken') return []
  const nothing = src.type === 'scalar' && src.value === null
  const fix = nothing
    ? replaceRange('Write an empty list', src.from, src.to, context.text[src.from - 1] === ':' ? ' []' : '[]')
    : src.type === 'map' && src.flow
      ? replaceRange('Make it a list', src.from, src.to, `[${context.text.slice(src.from, src.to)}]`)
      : undefined
  context.error(
    'not_a_list',
    path,
    'Steps are a list: begin each with a dash, or write [] for none.',
    src,
    fix,
  )
  return []
}

function readStep(src: Src, path: NodePath, context: ReadContext): Step | undefined {
  if (src.type === 'broken') {
    context.valuesUnknown = true
    return undefined
  }
  const entries = src.type === 'map' ? src.entries : []
  const kinds = entries.filter(({ key }) => stepKind(key))
  const [kind, second] = kinds
  const descriptor = kind && stepKind(kind.key)
  if (src.type !== 'map' || !kind || !descriptor) {
    unknownStep(src, path, context)
    return undefined
  }
  if (second) {
    context.keyError(
      'two_kinds',
      path,
      `A step has one kind, here ${kind.key}: give ${second.key} a dash of its own.`,
      second,
    )
  }
  const beside = entries.filter(entry => !kinds.includes(entry) && entry.key !== 'name')
  const source: StepSource = { descriptor, map: src, kind, beside, path }
  const step =
    descriptor.group === 'action' ? readAction(source, context) : readFlow(source, context, readSteps)
  const name = readName(entryOf(src, 'name'), path, context)
  if (step && name !== undefined) step.name = name
  return step
}

function unknownStep(src: Src, path: NodePath, context: ReadContext): void {
  context.valuesUnknown = true
  const [first] = src.type === 'map' ? src.entries : []
  if (!first) {
    const word = src.type === 'scalar' && typeof src.value === 'string' ? ` ${src.value.slice(0, 40)}` : ''
    context.error(
      'not_a_step',
      path,
      `This${word} is no step: write its kind, a colon and its parameters.`,
      src,
    )
    return
  }
  const meant = nearest(first.key, STEP_KINDS)
  context.keyError(
    'unknown_kind',
    keyPath(path, first.key),
    `There is no step ${first.key}: ${meant ? `did you mean ${meant}?` : `use one of ${STEP_KINDS.join(', ')}.`}`,
    first,
    meant ? replaceRange(`Change it to ${meant}`, first.keyFrom, first.keyTo, meant) : undefined,
  )
}

function readName(entry: Entry | undefined, path: NodePath, context: ReadContext): string | undefined {
  if (!entry || entry.value.type === 'broken') return undefined
  const { value } = entry
  const name = value.type === 'scalar' ? value.value : null
  if (typeof name === 'string' && new RegExp(NAME).test(name) && !RESERVED_NAMES.has(name)) return name
  const place = keyPath(path, 'name')
  // Whoever refers to the name would be told that it does not exist: once is enough.
  context.valuesUnknown = true
  if (typeof name === 'string' && RESERVED_NAMES.has(name)) {
    context.error('reserved_name', place, `${name} means something else already: choose another name.`, value)
  } else {
    const slug = String(name ?? '')
      .toLowerCase()
      .trim()
      .replace(/\s+/g, '-')
    const fix = new RegExp(NAME).test(slug)
      ? replaceRange(`Change it to ${slug}`, value.from, value.to, slug)
      : undefined
    context.error('invalid_name', place, 'A name is a-z first, then a-z, 0-9, - or _.', value, fix)
  }
  return undefined
}
