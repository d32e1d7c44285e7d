/** Which language model a site asks, in its file under `language:`, and which one about pictures, under `vision:`. */
import { type Static, Type } from '@sinclair/typebox'
import type { Destination, LanguageSetting, ServerModel, VisionSetting } from './types.ts'

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

export const VisionSchema = Type.Object(LanguageSchema.properties, {
  additionalProperties: false,
  expects:
    '{ destination, api, model } of a listed model server, or { model: <folder> } of an installed model that sees',
})

type Data = Static<typeof LanguageSchema>
type Report = (pointer: string, code: string, message: string) => void

/** What the file says of it; `report` hears what no schema sees. */
export function languageOf(
  data: Data | undefined,
  destinations: ReadonlyMap<string, Destination>,
  report: Report,
): LanguageSetting | null {
  if (!data) return null
  const server = serverOf('language', data, destinations, report)
  if (server) return server
  const { model, sees } = data
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

/** The same of the model that Looks at pictures ask. */
export function visionOf(
  data: Data | undefined,
  destinations: ReadonlyMap<string, Destination>,
  report: Report,
): VisionSetting | null {
  if (!data) return null
  if (data.sees !== undefined)
    report('/vision/sees', 'wrong_value', 'vision.sees says nothing: a model that is named here sees.')
  const server = serverOf('vision', data, destinations, report)
  if (server) return { ...server, sees: true }
  const { model } = data
  if (!/^[A-Za-z0-9][\w.-]*$/.test(model) || /\.(gguf|onnx)$/i.test(model))
    report(
      '/vision/model',
      'wrong_value',
      'vision.model must be the name of an installed folder with a model that sees, or name a destination and an api.',
    )
  return { kind: 'folder', folder: model }
}

/** The listed server that is named, or null where none is. */
function serverOf(
  key: 'language' | 'vision',
  { destination: name, api, model, sees }: Data,
  destinations: ReadonlyMap<string, Destination>,
  report: Report,
): ServerModel | null {
  if (name === undefined) {
    if (api !== undefined)
      report(`/${key}/api`, 'missing_key', `${key}.api needs ${key}.destination: name the listed server.`)
    return null
  }
  const listed = destinations.get(name)
  if (!listed)
    report(
      `/${key}/destination`,
      'unknown_destination',
      `${key}.destination: ${name} is not listed: add it under destinations.`,
    )
  else if (listed.class === 'move')
    report(
      `/${key}/destination`,
      'wrong_value',
      `${key}.destination: ${name} moves things: list the model server as class: read.`,
    )
  if (api === undefined)
    report(`/${key}`, 'missing_key', `${key} needs api: openai, ollama or kaic, whichever the server speaks.`)
  return {
    kind: 'server',
    destination: name,
    api: api ?? 'openai',
    model,
    sees: sees === 'true' || api === 'kaic',
  }
}
