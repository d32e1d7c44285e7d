/** The site's Home Assistant, in its file under `home_assistant:`. */
import { type Static, Type } from '@sinclair/typebox'
import type { HomeAssistantSetting } from './types.ts'

export const HomeAssistantSchema = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 500,
      expects: 'an address such as http://192.168.1.5:8123',
    }),
    token: Type.Object(
      { secret: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$', expects: 'the name of a secret' }) },
      { additionalProperties: false, expects: '{ secret: <name> }' },
    ),
    page: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, expects: 'the address of the page, beginning with http' }),
    ),
    ask: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^(role|person):[a-z][a-z0-9_-]{0,63}$' }),
        Type.Array(
          Type.String({
            pattern: '^notify\\.[a-z0-9_]{1,64}$',
            expects: 'a service such as notify.mobile_app_ann',
          }),
          { minItems: 1, maxItems: 20, expects: 'a list such as [notify.mobile_app_ann]' },
        ),
        { additionalProperties: false, expects: 'people or roles with the services that reach them' },
      ),
    ),
  },
  { additionalProperties: false, expects: 'Home Assistant: url, token, page, ask' },
)

type Report = (pointer: string, code: string, message: string) => void

/** What the file says of Home Assistant; `report` hears what no schema sees. */
export function homeAssistantOf(
  data: Static<typeof HomeAssistantSchema> | undefined,
  report: Report,
): HomeAssistantSetting | null {
  if (!data) return null
  const url = URL.parse(data.url)
  const wrong = (code: string, message: string) => report('/home_assistant/url', code, message)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    wrong('wrong_value', 'home_assistant.url must be an address that begins with http.')
  else if (url.username || url.password)
    wrong(
      'credentials_in_url',
      'home_assistant.url holds credentials: write a long-lived token into the file secrets/<name> of the data folder, and token: { secret: <name> } here.',
    )
  else if (url.pathname.replace(/\/+$/, '') !== '' || url.search || url.hash)
    wrong('wrong_value', 'home_assistant.url ends with its host and port: take away what follows.')
  const page = data.page === undefined ? null : URL.parse(data.page)
  if (data.page !== undefined && !(page && /^https?:$/.test(page.protocol) && !page.username))
    report(
      '/home_assistant/page',
      'wrong_value',
      'home_assistant.page must be an address that begins with http.',
    )
  return {
    url: url ?? new URL('http://invalid'),
    token: data.token,
    page: page?.href ?? null,
    ask: new Map(Object.entries(data.ask ?? {})),
  }
}
