/** Who is told what and where, in the site file under `people:`, `alerts:` and `page_url`. */
import { type Static, Type } from '@sinclair/typebox'
import { DAYS, SEVERITIES, type Severity } from '../contract/index.ts'
import type { Channel, PersonAt, Reach, Reached } from './channel-types.ts'
import { isMailAddress, wrongService, wrongTopic } from './channels.ts'

const severity = Type.Union(
  SEVERITIES.map(each => Type.Literal(each)),
  { expects: SEVERITIES.join(', ').replace(/, (\w+)$/, ' or $1') },
)
const text = (most: number, expects: string) => Type.String({ minLength: 1, maxLength: most, expects })
const clock = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  expects: 'a time of day in quotes, such as "22:00"',
})

/** What a person has beside name and roles. */
export const reachedKeys = {
  channels: Type.Optional(
    Type.Array(
      Type.Object(
        {
          via: text(64, 'the name of a channel'),
          at: Type.Optional(text(254, 'a topic or mail address')),
          from: Type.Optional(severity),
        },
        { additionalProperties: false, expects: 'a channel: via, at, from' },
      ),
      { maxItems: 16, expects: 'a list such as [{ via: mail, at: ann@site.example }]' },
    ),
  ),
  quiet_hours: Type.Optional(
    Type.Object(
      {
        from: clock,
        to: clock,
        days: Type.Optional(
          Type.Array(
            Type.Union(
              DAYS.map(day => Type.Literal(day)),
              { expects: `one of ${DAYS.join(', ')}` },
            ),
            { minItems: 1, expects: 'a list such as [mon, tue]' },
          ),
        ),
      },
      { additionalProperties: false, expects: 'quiet hours: from, to, days' },
    ),
  ),
}

const person = Type.Object(reachedKeys)
type PersonData = Static<typeof person>

export const AlertsSchema = Type.Object(
  {
    to: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^(role|person|channel):[a-z][a-z0-9_-]{0,63}$',
          expects: 'role:<role>, person:<name> or channel:<name>',
        }),
        { maxItems: 32, expects: 'a list such as ["role:owner"]' },
      ),
    ),
    from: Type.Optional(severity),
  },
  { additionalProperties: false, expects: 'who is told alerts: to, from' },
)

/** What names the place of a channel, there and at a person. */
const PLACE: Partial<Record<Channel['kind'], string>> = {
  ntfy: 'topic',
  smtp: 'to',
  home_assistant: 'service',
}
const PLACES: Partial<Record<Channel['kind'], string>> = {
  ntfy: 'a topic',
  smtp: 'a mail address',
  home_assistant: 'a service such as notify.mobile_app_ann',
}

type Report = (pointer: string, code: string, message: string) => void

interface Data {
  people?: { [name: string]: PersonData }
  alerts?: Static<typeof AlertsSchema>
  page_url?: string
}

/** What the file says; `report` hears what no schema sees. */
export function reachOf(
  { people = {}, alerts, page_url: page }: Data,
  channels: ReadonlyMap<string, Channel>,
  report: Report,
): Reach {
  const { to = ['role:owner'], from = 'medium' } = alerts ?? {}
  for (const [at, each] of to.entries()) {
    const why = nobody(each, people, channels)
    if (why !== null) report(`/alerts/to/${at}`, 'wrong_value', `alerts.to: ${each} ${why}.`)
  }
  return {
    channels,
    people: new Map(
      Object.entries(people).map(([name, data]) => [name, reachedOf(name, data, channels, report)]),
    ),
    alerts: { to, from },
    page: pageOf(page, report),
  }
}

/** Why nobody is told by a word of `alerts.to`, as the rest of a sentence; a role may yet be given to somebody. */
function nobody(
  word: string,
  people: NonNullable<Data['people']>,
  channels: ReadonlyMap<string, Channel>,
): string | null {
  const [sort = '', name = ''] = word.split(':')
  if (sort === 'person') return Object.hasOwn(people, name) ? null : 'is not among people'
  if (sort === 'role') return null
  const channel = channels.get(name)
  if (!channel) return 'is not among channels'
  return ownAddress(channel) === undefined ? `needs ${PLACE[channel.kind]} at the channel` : null
}

function reachedOf(
  name: string,
  { channels: listed = [], quiet_hours: quiet }: PersonData,
  channels: ReadonlyMap<string, Channel>,
  report: Report,
): Reached {
  const at = `/people/${name}`
  if (quiet && quiet.from === quiet.to)
    report(
      `${at}/quiet_hours`,
      'wrong_value',
      `people.${name}.quiet_hours begin and end at ${quiet.from}: write another end.`,
    )
  return {
    channels: listed.flatMap((each, i): PersonAt[] => {
      const path = `people.${name}.channels: `
      const why = wrongPlace(each, channels)
      if (why !== null) report(`${at}/channels/${i}`, 'wrong_value', `${path}${each.via} ${why}.`)
      const { via: channel, at: address = null, from = 'low' } = each
      return why === null ? [{ channel, at: address, from: from as Severity }] : []
    }),
    quiet: quiet ? { from: quiet.from, to: quiet.to, days: quiet.days ?? null } : null,
  }
}

function wrongPlace(
  { via, at }: { via: string; at?: string },
  channels: ReadonlyMap<string, Channel>,
): string | null {
  const channel = channels.get(via)
  if (!channel) return 'is not among channels: add it there'
  if (at === undefined) return ownAddress(channel) === undefined ? `needs at: ${PLACES[channel.kind]}` : null
  if (channel.kind === 'smtp') return isMailAddress(at) ? null : 'needs at: one mail address'
  const why =
    channel.kind === 'ntfy'
      ? wrongTopic(at)
      : channel.kind === 'home_assistant'
        ? wrongService(at)
        : undefined
  if (why === undefined) return 'goes to one place only: leave at out'
  return why === null ? null : `has at, which ${why}`
}

/** Where a channel goes by itself; null: it has one place only. Undefined: nowhere. */
export function ownAddress(channel: Channel): string | null | undefined {
  if (channel.kind === 'ntfy') return channel.topic ?? undefined
  if (channel.kind === 'home_assistant') return channel.service ?? undefined
  return channel.kind === 'smtp' ? (channel.to ?? undefined) : null
}

function pageOf(page: string | undefined, report: Report): string | null {
  if (page === undefined) return null
  const url = URL.parse(page)
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.hostname === '' ||
    url.username ||
    url.search ||
    url.hash
  )
    report(
      '/page_url',
      'wrong_value',
      'page_url must be the address of the page, such as https://gate.lan:8088.',
    )
  return url ? url.href.replace(/\/+$/, '') : null
}
