/** Which language model a site asks, in its file under `language:`. */
import { type Static, Type } from '@sinclair/typebox'
import type { Destination, LanguageSetting } from './types.ts'

const text = Type.String({ minLength: 1, maxLength: 200, expects: 'a text' })

export const LanguageSchema = Type.Object(
  {
    destination: Type.Optional(text),
    api: Type.Optional(
      Type.Union([Type.Literal('openai'), Type.Literal('ollama'), Type.Literal('kaic')], {
        expects: 'openai, ollama or kaic',
      }),
    ),
    model: text,
    sees: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], { expects: 'true or false' }),
    ),
  },
  {
    additionalProperties: false,
    expects:
      '{ destination, api, model } of a listed model server, or { model: <file> } of an installed model',
  },
)

/** What the file says of it; `report` hears what no schema sees. */
export function languageOf(
  data: Static<typeof LanguageSchema> | undefined,
  destinations: ReadonlyMap<string, Destination>,
  report: (pointer: string, code: string, message: string) => void,
): LanguageSetting | null {
  if (!data) return null
  const { destination: name, api, model, sees } = data
  if (name === undefined) {
    if (api !== undefined)
      report(
        '/language/api',
        'missing_key',
        'language.api needs language.destination: name the listed server.',
      )
    if (sees !== undefined)
      report(
        '/language/sees',
        'wrong_value',
        'language.sees belongs to a model server: an installed file sees nothing.',
      )
    if (!/^[A-Za-z0-9][\w.-]*\.gguf$/i.test(model))
      report(
        '/language/model',
        'wrong_value',
        'language.model must be the name of an installed .gguf file, or name a destination and an api.',
      )
    return { kind: 'file', file: model }
  }
  const listed = destinations.get(name)
  if (!listed)
    report(
      '/language/destination',
      'unknown_destination',
      `language.destination: ${name} is not listed: add it under destinations.`,
    )
  else if (listed.class === 'move')
    report(
      '/language/destination',
      'wrong_value',
      `language.destination: ${name} moves things: list the model server as class: read.`,
    )
  if (api === undefined)
    report(
      '/language',
      'missing_key',
      'language needs api: openai, ollama or kaic, whichever the server speaks.',
    )
  return {
    kind: 'server',
    destination: name,
    api: api ?? 'openai',
    model,
    sees: sees === 'true' || api === 'kaic',
  }
}
