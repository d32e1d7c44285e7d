/**
 * The form in which a model writes a workflow: JSON, and a little other than the file. A decision or a reply stands
 * beside the steps that follow from it, so that none can be without its path.
 */
import type { Registry, RegistryEntry } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'

export type Schema = { readonly [key: string]: JsonValue }

/** What a draft may name of its site; what there is none of may be named freely. */
export interface FormNames {
  /** Camera roles. */
  cameras: readonly string[]
  lists: readonly string[]
  /** Of people. */
  roles: readonly string[]
  destinations: readonly string[]
}

/** How large a draft may become. */
export interface Size {
  /** Characters of one text. */
  text: number
  /** Entries of a list that is none of steps. */
  items: number
  /** Steps of the workflow, and of one path within it. */
  steps: number
  inner: number
  /** How deep paths may lie within paths. */
  depth: number
}

export const WIDE: Size = { text: 240, items: 8, steps: 6, inner: 4, depth: 3 }
/** For a model that came to no end. */
export const TIGHT: Size = { text: 40, items: 2, steps: 2, inner: 1, depth: 1 }

/** Keys of a kind of which one set is there and no other. */
interface Variant {
  need: readonly string[]
  leave: readonly string[]
  fix?: Readonly<Record<string, string>>
}

const one = (all: readonly string[], key: string, also: readonly string[] = []): Variant => ({
  need: [key],
  leave: [...all.filter(each => each !== key), ...also],
})
const COMPARISONS = ['is', 'in', 'at_least', 'at_most', 'contains_any', 'is_not', 'present']
const LOOPS = ['cameras', 'list', 'events']

/** What the schemas of the kinds leave to their checks. */
export const VARIANTS: Readonly<Record<string, readonly Variant[]>> = {
  ai: [
    {
      need: ['prompt', 'input'],
      leave: ['goal', 'instructions', 'tools', 'memory', 'limits'],
      fix: { mode: 'look' },
    },
    {
      need: ['goal', 'tools'],
      leave: ['prompt', 'input', 'look_at', 'max_age', 'limits'],
      fix: { mode: 'investigate' },
    },
  ],
  schedule: [
    one(['cron', 'every', 'at'], 'at'),
    one(['cron', 'every', 'at'], 'every', ['days']),
    one(['cron', 'every', 'at'], 'cron', ['days']),
  ],
  value: COMPARISONS.map(key => one(COMPARISONS, key)),
  for_each: LOOPS.map(key => one(LOOPS, key)),
}

/** Kinds whose parameters or paths say what can come of them. */
export const PATHS: Readonly<
  Record<string, { of: string; place: 'inside' | 'beside'; also: readonly string[] }>
> = {
  ai: { of: 'decision', place: 'inside', also: ['unsure'] },
  ask_person: { of: 'replies', place: 'beside', also: ['no_answer'] },
  call: { of: 'outcomes', place: 'beside', also: ['no_answer'] },
}
/** Of one entry of these: its name, and what is done then. */
export const ENTRY = { name: 'is', steps: 'then' } as const

const PLACEHOLDER = { type: 'string', pattern: '^\\{[a-z][a-z0-9_.]{0,40}\\}$' }
const DECISION = { type: 'string', pattern: '^[a-z][a-z0-9_]{1,30}$' }
/** Conditions that hold others. */
const HOLDING = ['not', 'any', 'all']
/** Conditions within conditions. */
const CONDITION_DEPTH = 2

/** The JSON Schema of a draft, made of what is registered. */
export function formOf(
  registry: Registry,
  names: FormNames | null,
  schemas: readonly string[],
  size: Size,
): Schema {
  const shaper = new Shaper(registry, names, schemas, size)
  const defs: { [name: string]: JsonValue } = {}
  const shared = (group: string, { kind }: RegistryEntry, ways: readonly Schema[]): Schema => {
    const name = `${group}-${kind.replace(/[^a-z0-9]/g, '-')}`
    defs[name] ??= ways.length === 1 && ways[0] ? ways[0] : { anyOf: [...ways] }
    return ref(name)
  }
  for (let level = CONDITION_DEPTH; level >= 0; level--)
    defs[`condition-${level}`] = {
      anyOf: registry.conditions.flatMap(kind => {
        const ways = shaper.condition(kind, level)
        return HOLDING.includes(kind.kind) ? ways : [shared('condition', kind, ways)]
      }),
    }
  for (let level = size.depth; level >= 0; level--) {
    defs[`step-${level}`] = {
      anyOf: [
        ...registry.steps.flatMap(kind => shaper.step(kind, level)),
        ...registry.actions.map(kind => shared('action', kind, [shaper.node(kind, shaper.params(kind))])),
      ],
    }
    defs[`steps-${level}`] = listOf(ref(`step-${level}`), 0, level === 0 ? size.steps : size.inner)
  }
  return {
    ...object(
      {
        name: { type: 'string', minLength: 1, maxLength: Math.min(60, size.text) },
        description: { type: 'string', minLength: 1, maxLength: size.text },
        limits: shaper.limits(),
        when: { anyOf: registry.triggers.flatMap(kind => shaper.alone(kind)) },
        if: listOf(ref('condition-0'), 1, Math.min(4, size.items)),
        then: listOf(ref('step-0'), 1, size.steps),
      },
      ['name', 'description', 'when', 'then'],
    ),
    $defs: defs,
  }
}

class Shaper {
  constructor(
    readonly registry: Registry,
    readonly names: FormNames | null,
    readonly schemas: readonly string[],
    readonly size: Size,
  ) {}

  limits(): Schema {
    const duration = { type: 'string', pattern: '^[1-9][0-9]{0,2}[smh]$' }
    const count = { type: 'integer', minimum: 1, maximum: 1000 }
    return object({ cooldown: duration, per_hour: count }, [])
  }

  /** A trigger, or a condition that holds no other. */
  alone(kind: RegistryEntry): Schema[] {
    return this.params(kind).map(params => object({ [kind.kind]: params }, [kind.kind]))
  }

  condition(kind: RegistryEntry, level: number): Schema[] {
    const inner = ref(`condition-${level + 1}`)
    const holds: Record<string, Schema> = { not: inner, any: listOf(inner, 1, 3), all: listOf(inner, 1, 3) }
    const within = Object.hasOwn(holds, kind.kind) ? holds[kind.kind] : undefined
    if (!within) return this.alone(kind)
    return level < CONDITION_DEPTH ? [object({ [kind.kind]: within }, [kind.kind])] : []
  }

  /** A step that branches, waits or asks, where it may have paths. */
  step(kind: RegistryEntry, level: number): Schema[] {
    const steps = ref(`steps-${level + 1}`)
    const branches = level < this.size.depth
    if (kind.kind === 'wait') return [this.node(kind, this.params(kind))]
    if (!branches) return []
    if (kind.kind === 'if') {
      const conditions = listOf(ref('condition-0'), 1, 4)
      return [this.node(kind, [conditions], { then: steps, else: steps }, ['then'])]
    }
    if (kind.kind === 'wait_for') return [this.node(kind, this.params(kind), { met: steps, timeout: steps })]
    const paths = Object.hasOwn(PATHS, kind.kind) ? PATHS[kind.kind] : undefined
    const params = this.params(kind, steps)
    if (!paths || paths.place === 'inside') return [this.node(kind, params)]
    const outcomes = listOf(this.#entry(kind.kind, steps), 1, this.size.items)
    const also = Object.fromEntries(paths.also.map(name => [name, steps]))
    return [this.node(kind, params, { [paths.of]: outcomes, ...also }, [paths.of])]
  }

  node(
    { kind }: RegistryEntry,
    params: readonly Schema[],
    beside: Readonly<Record<string, Schema>> = {},
    required: readonly string[] = [],
  ): Schema {
    const all = params.map(each => object({ [kind]: each, ...beside }, [kind, ...required]))
    return all.length === 1 && all[0] ? all[0] : { anyOf: all }
  }

  /** What a kind is given; several where it is one of several sets of keys. */
  params(kind: RegistryEntry, steps?: Schema): Schema[] {
    const all = Object.hasOwn(VARIANTS, kind.kind) ? VARIANTS[kind.kind] : undefined
    // Without tools nothing can be investigated.
    const own = this.registry.tools.length ? all : all?.filter(({ need }) => !need.includes('tools'))
    if (kind.params.type !== 'object') return [this.#shaped(kind.params, kind.kind, kind.kind)]
    return (own ?? [{ need: [], leave: [] }]).map(variant => this.#keys(kind, variant, steps))
  }

  #keys({ kind, params }: RegistryEntry, { need, leave, fix = {} }: Variant, steps?: Schema): Schema {
    const paths = Object.hasOwn(PATHS, kind) ? PATHS[kind] : undefined
    const required = new Set([...textsOf(params.required), ...need])
    const properties: { [key: string]: Schema } = {}
    for (const [key, schema] of Object.entries((params.properties ?? {}) as Record<string, Schema>)) {
      if (leave.includes(key)) continue
      const fixed = fix[key]
      if (fixed !== undefined) properties[key] = { type: 'string', enum: [fixed] }
      else if (paths?.of !== key) properties[key] = this.#shaped(schema, key, kind)
      else if (paths.place === 'inside' && steps)
        properties[key] = listOf(this.#entry(kind, steps), 1, this.size.items)
      else required.delete(key)
    }
    if (kind === 'wait_for') properties.until = ref('condition-0')
    if (paths?.place === 'inside' && steps)
      for (const name of paths.also) {
        properties[name] = steps
        required.add(name)
      }
    if (kind === 'for_each' && steps) {
      properties.do = steps
      required.add('do')
    }
    return object(
      properties,
      [...required].filter(key => Object.hasOwn(properties, key)),
    )
  }

  #entry(kind: string, steps: Schema): Schema {
    const reply = { type: 'string', minLength: 1, maxLength: Math.min(40, this.size.text) }
    const name = kind === 'ai' ? DECISION : reply
    return object({ [ENTRY.name]: name, [ENTRY.steps]: steps }, [ENTRY.name, ENTRY.steps])
  }

  /** A schema of the registry in the words and bounds of drafts. */
  #shaped(schema: Schema, key: string, kind: string): Schema {
    const { text, items } = this.size
    if (Array.isArray(schema.anyOf)) {
      const all = schema.anyOf as Schema[]
      const values = all.map(each => each.const)
      if (values.every(each => typeof each === 'string')) return { type: 'string', enum: values }
      return { anyOf: all.map(each => this.#shaped(each, key, kind)) }
    }
    const within = (bound: JsonValue | undefined, most: number) =>
      typeof bound === 'number' ? Math.min(bound, most) : most
    switch (schema.type) {
      case 'string': {
        if (typeof schema.const === 'string') return { type: 'string', enum: [schema.const] }
        const named = this.#named(schema, key, kind)
        if (named) return named
        if (typeof schema.pattern === 'string' && !schema.pattern.includes('[^'))
          return { type: 'string', pattern: schema.pattern }
        return { type: 'string', minLength: 1, maxLength: within(schema.maxLength, text) }
      }
      case 'array':
        return listOf(
          this.#shaped((schema.items ?? {}) as Schema, key, kind),
          typeof schema.minItems === 'number' ? schema.minItems : 0,
          within(schema.maxItems, items),
        )
      case 'object': {
        const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
        if (properties.length)
          return object(
            Object.fromEntries(properties.map(([name, each]) => [name, this.#shaped(each, name, kind)])),
            textsOf(schema.required),
          )
        const each = (schema.additionalProperties ?? {}) as Schema
        const least = typeof schema.minProperties === 'number' ? schema.minProperties : 0
        return mapOf(this.#shaped(each, '', kind), least, items)
      }
      case 'number':
      case 'integer':
      case 'boolean': {
        const { type, minimum, maximum } = schema
        return { type, ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
      }
      default:
        // Anything: a map of plain values says what people want to send.
        return key === 'json' ? mapOf(this.#plain(), 1, items) : this.#plain()
    }
  }

  #plain(): Schema {
    return {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: this.size.text },
        { type: 'number' },
        { type: 'boolean' },
      ],
    }
  }

  /** A text that is a name of the site, or of what is registered. */
  #named(schema: Schema, key: string, kind: string): Schema | null {
    const { cameras = [], lists = [], roles = [], destinations = [] } = this.names ?? {}
    const sends = kind === 'webhook' || kind === 'mqtt'
    switch (key) {
      case 'cameras':
        return choice(cameras)
      case 'camera':
      case 'look_at': {
        const known = choice(cameras)
        if (!known) return null
        return String(schema.pattern).includes('\\{') ? { anyOf: [known, PLACEHOLDER] } : known
      }
      case 'list':
        return choice(lists)
      case 'to':
        return sends ? choice(destinations) : null
      case 'schema':
        return choice(this.schemas)
      case 'then':
        return kind === 'ai' ? DECISION : null
      case 'tools':
        return choice(this.registry.tools.map(tool => tool.kind))
      case 'who':
        // Nobody by name: drafts are of roles.
        return (
          choice(roles.map(role => `role:${role}`)) ?? {
            type: 'string',
            pattern: '^role:[a-z][a-z0-9_-]{0,40}$',
          }
        )
      default:
        return null
    }
  }
}

function object(properties: { readonly [key: string]: Schema }, required: readonly string[]): Schema {
  return { type: 'object', properties, required: [...required], additionalProperties: false }
}

const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` })

const listOf = (items: Schema, minItems: number, maxItems: number): Schema => ({
  type: 'array',
  items,
  minItems,
  maxItems: Math.max(minItems, maxItems),
})

const mapOf = (additionalProperties: Schema, minProperties: number, maxProperties: number): Schema => ({
  type: 'object',
  additionalProperties,
  minProperties,
  maxProperties,
})

const choice = (values: readonly string[]): Schema | null =>
  values.length ? { type: 'string', enum: [...values] } : null

const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter(each => typeof each === 'string') : []
