/** What every kind says about itself: the descriptor's shape. One descriptor per file under `kinds/`. */
import type { Static, TObject, TSchema } from '@sinclair/typebox'
import type { Effect, SiteView } from './types.ts'

export type ValueType = 'text' | 'number' | 'yes_no' | 'list' | 'picture'

/** A value that a trigger or a step puts at the disposal of what follows it. */
export interface Given {
  type: ValueType
  /** Not made by AI and not under an outsider's control: may guard a move (DESIGN: clean values). */
  clean: boolean
  /** An identity (a plate, a decision of an access system, who pressed): compared exactly. */
  identity?: boolean
  description: string
}

/** Names in the site that a node relies on. */
export interface NodeNeeds {
  cameras?: string[]
  /** Zones, each drawn on a camera that bears one of the roles. */
  zones?: { name: string; cameras: string[] }[]
  lists?: string[]
  roles?: string[]
  people?: string[]
  destinations?: string[]
  /** What those destinations have to be; absent: addresses. */
  sort?: 'topic'
  apps?: { id: string; action: string }[]
  /** Whose alerts it waits for. */
  sources?: string[]
  tools?: string[]
  /** Abilities of the box: `look.picture`, `notify`, `home_assistant`, `nats` … */
  skills?: string[]
}

/** A fault that a kind finds in its own parameters, beyond what their schema says. */
export interface Finding {
  severity?: 'error' | 'warning'
  /** Keys and indexes from the parameters down to the offending node; empty: the parameters as a whole. */
  at: readonly (string | number)[]
  code: string
  message: string
  /** YAML that takes the place of the offending node, where the repair is plain. */
  replace?: string
  /** The finding is about the key at the end of `at`, not about its value. */
  key?: boolean
}

interface Described<P extends TSchema> {
  kind: string
  /** One sentence for the registry and the builder. */
  description: string
  params: P
  needs?(params: Static<P>): NodeNeeds
  /** The rules that a schema cannot say. Called with parameters that fit `params`. */
  check?(params: Static<P>, found: (finding: Finding) => void): void
}

export interface TriggerDescriptor<P extends TSchema = TSchema> extends Described<P> {
  group: 'trigger'
  gives(params: Static<P>, site?: SiteView): Record<string, Given>
  /** What any further name of the payload is, where the payload is not known beforehand; null: no other names. */
  open?(params: Static<P>, site?: SiteView): Given | null
  /** AI stands behind what this trigger brings: nothing of it guards a move. */
  tainted(params: Static<P>, site?: SiteView): boolean
  /** The trigger itself is the authority for moves (schedule, an identified press, a trusted webhook …). */
  authority(params: Static<P>, site?: SiteView): boolean
}

export interface ConditionDescriptor<P extends TSchema = TSchema> extends Described<P> {
  group: 'condition'
  /** Reading this condition asks AI (`text_visible`). */
  aiPoint?: boolean
}

export interface StepDescriptor<P extends TSchema = TSchema> extends Described<P> {
  group: 'step'
  /** What later steps see, those in its own paths included. */
  gives(params: Static<P>): Record<string, Given>
  /** What only the steps in its own paths see (the item of a loop). */
  givesInside?(params: Static<P>): Record<string, Given>
  /** Its decision, answer or text is made by AI: guards end here. */
  aiPoint?: boolean
  /** Parameters (dotted where nested) in which placeholders are filled. */
  templated?: readonly string[]
  /** Parameters in which a placeholder stays as it is and names a key of the data block. */
  naming?: readonly string[]
  /**
   * The outcomes that may have a path: `inside` the kind's map or `beside` it, which of them are required, and
   * whether they are part of the parameters (replies, decisions).
   */
  paths(params: Static<P>): { place: 'inside' | 'beside'; required: string[]; optional: string[] }
}

export interface ActionDescriptor<P extends TSchema = TSchema> extends Described<P> {
  group: 'action'
  /** The class of this very use: by its parameters and by what the site says. */
  effect(params: Static<P>, site?: SiteView, declared?: Readonly<Record<string, Effect>>): Effect
  gives?(params: Static<P>): Record<string, Given>
  /** Parameters that hold placeholders; the rest are literal. */
  templated: readonly string[]
}

export interface ToolDescriptor<P extends TObject = TObject> {
  group: 'tool'
  kind: string
  /** What it is good for, in one line that a small model understands. */
  description: string
  /** When it is the wrong one, in one line. */
  notFor: string
  /**
   * Its arguments: texts, whole numbers and choices only. Each description says what the argument is not. A text with
   * `siteNames` is one of the names that the site has of that sort.
   */
  params: P
  /** A tool reads or asks; it never moves: there is no third value. */
  effect: 'read' | 'ask_person'
}

export type KindDescriptor =
  | TriggerDescriptor
  | ConditionDescriptor
  | StepDescriptor
  | ActionDescriptor
  | ToolDescriptor

/** These five give a descriptor its type without saying its parameters twice. */
export const trigger = <P extends TSchema>(
  it: Omit<TriggerDescriptor<P>, 'group'>,
): TriggerDescriptor<P> => ({
  group: 'trigger',
  ...it,
})
export const condition = <P extends TSchema>(
  it: Omit<ConditionDescriptor<P>, 'group'>,
): ConditionDescriptor<P> => ({ group: 'condition', ...it })
export const step = <P extends TSchema>(it: Omit<StepDescriptor<P>, 'group'>): StepDescriptor<P> => ({
  group: 'step',
  ...it,
})
export const action = <P extends TSchema>(it: Omit<ActionDescriptor<P>, 'group'>): ActionDescriptor<P> => ({
  group: 'action',
  ...it,
})
export const tool = <P extends TObject>(it: Omit<ToolDescriptor<P>, 'group'>): ToolDescriptor<P> => ({
  group: 'tool',
  ...it,
})
