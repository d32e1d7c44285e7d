/** How the forms of answers are written: TypeBox, with a name for what appears more than once. */
import { type TArray, type TProperties, type TSchema, Type } from '@sinclair/typebox'

/**
 * What is shown of a `View`, under a name of its own in the document. Every member has to be there; one that the view
 * does not have is a mistake that the compiler finds.
 */
export function view<View extends object>(title: string) {
  return (members: { [K in keyof Required<View>]: TSchema }): TSchema =>
    Type.Object(members as unknown as TProperties, { title })
}

export const list = (of: TSchema): TArray => Type.Array(of)

export const orNull = (of: TSchema): TSchema => Type.Union([of, Type.Null()])

/** One of these words. */
export const word = (...words: readonly string[]): TSchema =>
  Type.Unsafe<string>({ type: 'string', enum: [...words] })

/** Values under keys that are not known beforehand. */
export const under = (of: TSchema): TSchema => Type.Record(Type.String(), of)

export const text = Type.String()
export const whole = Type.Integer()
export const number = Type.Number()
export const truth = Type.Boolean()
/** ISO 8601, UTC. */
export const time = Type.String({ format: 'date-time' })
/** Whatever JSON can hold. */
export const anything = Type.Any()
/** An object whose members are the box's own business, or a file's. */
export const loose = Type.Unsafe<object>({ type: 'object' })

/** From 0 to 1. */
export const share = Type.Number({ minimum: 0, maximum: 1 })

/** An object without a name of its own. */
export const object = (members: TProperties): TSchema => Type.Object(members)

export const optional = Type.Optional
