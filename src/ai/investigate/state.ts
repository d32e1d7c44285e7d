import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { JsonValue } from '../../core/index.ts'
import type { State } from './types.ts'

const count = Type.Integer({ minimum: 0 })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()])
const named = Type.Record(Type.String(), Type.Unknown())
const choice = (...all: string[]) => Type.Union(all.map(each => Type.Literal(each)))

const asked = Type.Object({
  ask: Type.Union([Type.Array(Type.String()), choice('text', 'long_text', 'number', 'yes_no')]),
})

const StateSchema = Type.Object({
  v: Type.Literal(1),
  spec: Type.Object({
    goal: Type.String(),
    instructions: nullable(Type.String()),
    options: Type.Array(Type.String()),
    fields: Type.Record(Type.String(), asked),
    floor: nullable(Type.Number()),
    rules: nullable(Type.Array(Type.Object({ when: Type.Optional(named), then: Type.String() }))),
    limits: Type.Object({ toolCalls: count, ms: Type.Number(), modelCalls: count, tokens: Type.Number() }),
  }),
  input: Type.Object({
    facts: Type.String(),
    clock: Type.Optional(Type.String()),
    values: named,
    event: Type.Unknown(),
    memory: Type.Array(Type.String()),
  }),
  turns: Type.Array(
    Type.Object({
      call: nullable(Type.Object({ tool: Type.String(), args: Type.Unknown() })),
      status: choice('ok', 'failed', 'refused'),
      result: Type.Unknown(),
      pictures: Type.Array(nullable(count)),
      room: Type.Optional(Type.Number({ minimum: 0 })),
    }),
  ),
  used: Type.Object({
    toolCalls: count,
    modelCalls: count,
    tokens: Type.Number({ minimum: 0 }),
    ms: Type.Number({ minimum: 0 }),
    questions: count,
  }),
  lastTokens: Type.Number({ minimum: 0 }),
  malformed: count,
  repeats: count,
  failed: Type.Array(Type.String()),
  lostPicture: Type.Boolean(),
  pending: Type.Object({ tool: Type.String(), args: named, allows: Type.Boolean() }),
  seen: Type.Array(
    Type.Object({
      ref: nullable(count),
      seen: Type.Object({ detections: Type.Array(Type.Unknown()), below: named }),
    }),
  ),
  trace: Type.Array(
    Type.Object({
      kind: choice('model', 'tool'),
      name: Type.String(),
      startedAt: Type.Number(),
      ms: Type.Number(),
      status: choice('ok', 'failed', 'refused', 'suspended'),
    }),
  ),
})

/** A state as it was put away; null: this version does not understand it. It may come from an older one. */
export function readState(stored: JsonValue): State | null {
  return Value.Check(StateSchema, stored) ? (structuredClone(stored) as unknown as State) : null
}

/** Plain JSON, whatever stands in it. */
export function storedState(state: State): JsonValue {
  return JSON.parse(JSON.stringify(state)) as JsonValue
}
