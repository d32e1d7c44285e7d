/** The registry as plain JSON: what a builder or another program offers to choose from. */
import { plain } from './json-schema.ts'
import { actions, conditions, steps, tools, triggers } from './kinds/index.ts'
import type { Effect, Json } from './types.ts'

export interface RegistryEntry {
  kind: string
  description: string
  /** JSON Schema of the parameters. */
  params: { [key: string]: Json }
}

export interface Registry {
  triggers: RegistryEntry[]
  conditions: RegistryEntry[]
  /** `ai`: its outcome or text is made by AI. */
  steps: (RegistryEntry & { ai: boolean })[]
  /** `by_use`: the parameters and the site decide. */
  actions: (RegistryEntry & { effect: Effect | 'by_use' })[]
  /** `not_for`: when it is the wrong one. */
  tools: (RegistryEntry & { not_for: string; effect: 'read' | 'ask_person' })[]
}

/** Kinds whose class hangs on where they are sent or what they are asked for. */
const BY_USE = new Set(['webhook', 'mqtt', 'home_assistant', 'app', 'ptz_preset'])

export function registry(): Registry {
  const entry = ({
    kind,
    description,
    params,
  }: {
    kind: string
    description: string
    params: Parameters<typeof plain>[0]
  }) => ({
    kind,
    description,
    params: plain(params),
  })
  return {
    triggers: Object.values(triggers).map(entry),
    conditions: Object.values(conditions).map(entry),
    steps: Object.values(steps).map(kind => ({ ...entry(kind), ai: kind.aiPoint === true })),
    actions: Object.values(actions).map(kind => ({
      ...entry(kind),
      effect: BY_USE.has(kind.kind) ? ('by_use' as const) : kind.effect({}),
    })),
    tools: Object.values(tools).map(kind => ({
      ...entry(kind),
      not_for: kind.notFor,
      effect: kind.effect,
    })),
  }
}
