import { RENAMED, type Renaming } from '../contract/index.ts'
import { GatehouseError } from '../core/index.ts'
import { decode, field, isJson, MAX_TEXT, mediaType, readBytes, readJsonBody, unsupported } from './body.ts'

/** On one line, as sites name things. */
const NAME = /^[^\p{C}]{1,100}$/u

/** A file as YAML text, or as JSON `{yaml}`. */
export async function readYaml(request: Request): Promise<string> {
  const yaml = await readYamlIfAny(request)
  if (yaml === null)
    throw new GatehouseError('bad_body', 'Send the text of the file as the body, or as `yaml`.', {
      status: 422,
    })
  return yaml
}

/** The same, or null where there is no body, or a JSON body names none. */
export async function readYamlIfAny(request: Request): Promise<string | null> {
  const type = mediaType(request)
  if (isJson(type)) {
    const yaml = field(await readJsonBody(request, MAX_TEXT), 'yaml') ?? null
    if (yaml !== null && typeof yaml !== 'string')
      throw new GatehouseError('bad_body', '`yaml` must be the text of the file.', { status: 422 })
    return yaml
  }
  if (type === '' && (await readBytes(request, MAX_TEXT)).length === 0) return null
  if (!/^(text\/(plain|yaml|x-yaml)|application\/(yaml|x-yaml)|[\w.-]+\/[\w.-]+\+yaml)$/.test(type))
    throw unsupported('application/yaml', 'text/yaml', 'application/json with `yaml`')
  return decode(await readBytes(request, MAX_TEXT))
}

/** The same, and in a JSON body `names`: what of a file is called something else here. Throws `bad_body` (422). */
export async function readRenamed(request: Request): Promise<{ yaml: string; names?: Renaming }> {
  if (!isJson(mediaType(request))) return { yaml: await readYaml(request) }
  const body = await readJsonBody(request, MAX_TEXT)
  const yaml = field(body, 'yaml')
  if (typeof yaml !== 'string')
    throw new GatehouseError('bad_body', '`yaml` must be the text of the file.', { status: 422 })
  const given = field(body, 'names') ?? null
  if (given === null) return { yaml }
  const names = Object.fromEntries(RENAMED.map(sort => [sort, textsOf(field(given, sort), sort)]))
  return { yaml, names }
}

function textsOf(given: unknown = {}, sort: string): { [name: string]: string } {
  const isMap = given !== null && typeof given === 'object' && !Array.isArray(given)
  const entries = isMap ? Object.entries(given) : []
  if (
    !isMap ||
    entries.length > 200 ||
    entries.some(([, name]) => typeof name !== 'string' || !NAME.test(name))
  )
    throw new GatehouseError('bad_body', `\`names.${sort}\` must say for each name which one it is here.`, {
      status: 422,
    })
  return Object.fromEntries(entries as [string, string][])
}
