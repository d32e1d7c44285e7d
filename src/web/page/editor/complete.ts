import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import {
  jsonSchema,
  parse,
  type RegistryEntry,
  registry,
  reread,
  valuesAt,
  type Workflow,
  walk,
} from '../../../contract/index.ts'
import { said } from '../said.ts'

type Schema = { properties?: Record<string, Schema>; enum?: unknown[]; const?: unknown; anyOf?: Schema[] }

/** What may stand at a place of a file, out of the contract: keys, kinds, words, and the values that exist there. */
export class Completer {
  readonly #kinds: ReadonlyMap<string, RegistryEntry>
  readonly #steps: Completion[]
  readonly #conditions: Completion[]
  readonly #triggers: Completion[]
  readonly #top: Completion[]
  /** As the file last was when it could be read. */
  #known: { workflow: Workflow; starts: { path: string; from: number }[] } | null = null

  constructor(text: string) {
    const all = registry()
    const steps = [...all.steps, ...all.actions]
    this.#kinds = new Map([...all.triggers, ...all.conditions, ...steps].map(entry => [entry.kind, entry]))
    this.#steps = steps.map(kindOption)
    this.#conditions = all.conditions.map(kindOption)
    this.#triggers = all.triggers.map(kindOption)
    this.#top = keysOf(jsonSchema() as Schema)
    this.learn(text)
  }

  /** Remembers which values exist where, while the file can be read. */
  learn(text: string): void {
    const workflow = reread(text)
    if (!workflow) return
    const { locate } = parse(text)
    const starts: { path: string; from: number }[] = []
    walk(workflow, ({ path }) => starts.push({ path, from: locate(path).from }))
    this.#known = { workflow, starts: starts.sort((a, b) => a.from - b.from) }
  }

  at(context: CompletionContext): CompletionResult | null {
    const line = context.state.doc.lineAt(context.pos)
    const before = line.text.slice(0, context.pos - line.from)
    const value = /\{([\w.]*)$/.exec(before)
    // A brace after a colon or a dash begins a map; any other one names a value.
    if (value && !/(?:[:-]\s+|^\s*|[[,{]\s*)\{[\w.]*$/.test(before))
      return { from: context.pos - (value[1] ?? '').length, options: this.#values(context.pos) }
    const word = /([\w.]*)$/.exec(before)?.[1] ?? ''
    const from = context.pos - word.length
    const options = this.#options(context, line.number, before.slice(0, before.length - word.length))
    if (!options.length || (!word && !context.explicit)) return null
    return { from, options, validFor: /^[\w.]*$/ }
  }

  #values(at: number): Completion[] {
    if (!this.#known) return []
    const { workflow, starts } = this.#known
    const path = starts.findLast(({ from }) => from <= at)?.path ?? 'when'
    return [...valuesAt(workflow, path)].map(([label, { from }]) => ({
      ...{ label, apply: `${label}}`, type: 'variable', detail: from },
    }))
  }

  #options(context: CompletionContext, number: number, before: string): Completion[] {
    const key = /([\w.]+):\s+$/.exec(before)?.[1]
    const parents = parentsOf(context, number, before)
    const [parent] = parents
    const kind = parents.map(name => this.#kinds.get(name)).find(Boolean)
    if (key !== undefined) return wordsOf((kind?.params as Schema | undefined)?.properties?.[key])
    if (parent === undefined) return before.trim() === '' ? this.#top : []
    if (parent === 'when') return this.#triggers
    if (/-\s+(?:\{\s*)?$/.test(before))
      return ['if', 'all', 'any'].includes(parent) ? this.#conditions : this.#steps
    if (parent === 'not' || parent === 'until') return this.#conditions
    return kind && parent === kind.kind ? keysOf(kind.params as Schema) : []
  }
}

/** The keys above a place, the nearest first, by how far lines are set in. */
function parentsOf(context: CompletionContext, number: number, before: string): string[] {
  const inline = [...before.matchAll(/([\w.]+):\s*\{/g)].map(([, name = '']) => name)
  const found = before.includes('}') ? [] : inline.reverse()
  let depth = /^[\s-]*/.exec(before)?.[0].length ?? 0
  if (/^\s*-\s/.test(before)) depth = /^\s*/.exec(before)?.[0].length ?? 0
  for (let n = number - 1; n > 0 && depth >= 0; n--) {
    const text = context.state.doc.line(n).text
    const key = /^([\s-]*)("?[\w. -]+"?):/.exec(text)
    if (!key || (key[1]?.length ?? 0) > depth) continue
    // A list may stand as deep as its key.
    if ((key[1]?.length ?? 0) === depth && !/^\s*-\s/.test(before)) continue
    found.push(key[2] ?? '')
    depth = (key[1]?.length ?? 0) - 1
  }
  return found
}

const kindOption = ({ kind, description }: RegistryEntry): Completion => ({
  ...{ label: kind, apply: `${kind}: `, type: 'keyword', info: said(description) },
})

const keysOf = ({ properties = {} }: Schema): Completion[] =>
  Object.keys(properties).map(label => ({ label, apply: `${label}: `, type: 'property' }))

/** The words that something may be. */
function wordsOf(schema: Schema | undefined): Completion[] {
  const all = [schema, ...(schema?.anyOf ?? [])]
  const words = all.flatMap(each => [
    ...(each?.enum ?? []),
    ...(each?.const === undefined ? [] : [each.const]),
  ])
  // In the order of the contract, not of the alphabet.
  return [...new Set(words.map(String))].map((label, i) => ({ label, type: 'enum', boost: -i }))
}
