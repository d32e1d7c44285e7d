import { GatehouseError } from '../core/index.ts'
import { decode, field, isJson, MAX_TEXT, mediaType, readBytes, readJsonBody, unsupported } from './body.ts'

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
