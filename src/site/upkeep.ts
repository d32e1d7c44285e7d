/** Updates and backups, in the site file under `updates:` and `backups:`: where they come from, and where they go. */
import { type Static, Type } from '@sinclair/typebox'
import { GatehouseError } from '../core/index.ts'
import type { BackupsSetting, Shelf, UpdatesSetting } from './types.ts'

const place = (expects: string) => Type.String({ minLength: 1, maxLength: 500, expects })
const nightly = Type.Optional(
  Type.String({
    pattern: '^(off|nightly at ([01]\\d|2[0-3]):[0-5]\\d)$',
    expects: 'off, or nightly at 03:30',
  }),
)

export const UpdatesSchema = Type.Object(
  { from: place('a folder, label:NAME, uuid:ID or an address beginning with http'), auto: nightly },
  { additionalProperties: false, expects: 'updates: from, auto' },
)

export const BackupsSchema = Type.Object(
  {
    to: place('a folder under /media, /mnt or /srv, label:NAME or uuid:ID'),
    auto: nightly,
    keep: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,2}$', expects: 'a whole number from 1 to 999' })),
    recipient: Type.Optional(
      Type.String({ pattern: '^age1[0-9a-z]{58}$', expects: 'a public key of age, beginning with age1' }),
    ),
    pictures: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], { expects: 'true or false' }),
    ),
  },
  { additionalProperties: false, expects: 'backups: to, auto, keep, recipient, pictures' },
)

type Report = (pointer: string, code: string, message: string) => void

/** Where root may write for a box that is not root: below what is mounted or kept for that. */
const WRITABLE = /^\/(media|mnt|srv|run\/media)\/./

export function updatesOf(
  data: Static<typeof UpdatesSchema> | undefined,
  report: Report,
): UpdatesSetting | null {
  if (!data) return null
  const wrong = (code: string, why: string) => report('/updates/from', code, `updates.from ${why}.`)
  return { from: shelfOf(data.from, true, wrong), text: data.from, at: timeOf(data.auto) }
}

export function backupsOf(
  data: Static<typeof BackupsSchema> | undefined,
  report: Report,
): BackupsSetting | null {
  if (!data) return null
  const to = shelfOf(data.to, false, (code, why) => report('/backups/to', code, `backups.to ${why}.`))
  return {
    ...{ to, text: data.to, keep: Number(data.keep ?? '7'), recipient: data.recipient ?? null },
    // Whoever names a place wants them; off is for those who start it themselves.
    at: data.auto === undefined ? '03:00' : timeOf(data.auto),
    pictures: data.pictures !== 'false',
  }
}

/** What a text names. Throws `bad_shelf`. `fetched`: releases are taken from there, and nothing is written. */
export function demandShelf(text: string, fetched: boolean): Shelf {
  return shelfOf(text, fetched, (_, why) => {
    throw new GatehouseError('bad_shelf', `${text} ${why}.`)
  })
}

const timeOf = (auto: string | undefined): string | null => /\d\d:\d\d$/.exec(auto ?? '')?.[0] ?? null

function shelfOf(text: string, fetched: boolean, wrong: (code: string, why: string) => void): Shelf {
  const [, by, name = '', folder = ''] = /^(label|uuid):([^/]*)(\/.*)?$/.exec(text) ?? []
  if (folder.split('/').includes('..') || text.split('/').includes('..'))
    wrong('wrong_value', 'must not hold ..')
  if (by !== undefined) {
    if (!/^[A-Za-z0-9_.-]{1,36}$/.test(name))
      wrong('wrong_value', 'names a disk: letters, digits, _, . and -, 36 of them at most')
    return { kind: 'disk', by: by === 'label' ? 'LABEL' : 'UUID', name, folder: folder || '/' }
  }
  if (text.startsWith('/')) {
    if (!fetched && !WRITABLE.test(text)) wrong('wrong_value', 'must lie under /media, /mnt or /srv')
    return { kind: 'folder', path: text }
  }
  const url = fetched ? URL.parse(text) : null
  if (!url || !/^https?:$/.test(url.protocol)) {
    const more = fetched
      ? ', label:NAME, uuid:ID or an address beginning with http'
      : ', label:NAME or uuid:ID'
    wrong('wrong_value', `must be a folder such as /media/stick${more}`)
  } else if (url.username || url.password)
    wrong('credentials_in_url', 'holds credentials: what is signed needs none, take them out')
  else if (url.search || url.hash) wrong('wrong_value', 'ends with its path: take away what follows')
  return { kind: 'url', url: url ?? new URL('http://invalid') }
}
