import { type TObject, type TSchema, Type } from '@sinclair/typebox'

/** Names that a model is offered at once. */
const MOST_NAMES = 40

/**
 * Arguments that are names of the site become a choice of those that there are. `namesOf`: what there is of a sort
 * (`camera`, `list`, `role`); where there is none, the argument stays a free text.
 */
export function narrowed(params: TObject, namesOf: (what: string) => readonly string[]): TObject {
  const properties = Object.entries(params.properties).map(([name, schema]): [string, TSchema] => {
    const { siteNames, description } = schema as TSchema & { siteNames?: string }
    if (siteNames === undefined) return [name, schema]
    const names = namesOf(siteNames).slice(0, MOST_NAMES)
    if (!names.length) return [name, schema]
    const choice = Type.Union(
      names.map(each => Type.Literal(each)),
      description === undefined ? {} : { description },
    )
    return [name, params.required?.includes(name) ? choice : Type.Optional(choice)]
  })
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false })
}
