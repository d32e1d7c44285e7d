import { GatehouseError } from '../../core/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { json, type Route } from '../route.ts'
import { BACKUPS, TO_RESTORE, UPLOADED } from '../schemas/index.ts'
import { Sight } from '../sight.ts'

/** The whole box, out and in again; and what the box did to help itself. */
export function backupRoutes({ care, engine }: WebDeps): Route[] {
  const { backups } = care
  return [
    {
      method: 'GET',
      path: '/api/v1/system/backups',
      permission: 'system.manage',
      summary: 'List the copies that the box made of itself, and say when the last backup was made',
      answer: BACKUPS,
      handle: async () => json(await backups.view()),
    },
    {
      method: 'POST',
      path: '/api/v1/system/backup',
      permission: 'system.manage',
      summary:
        'Make a backup and send it; encrypted, and then with its secrets, where there is a `passphrase`',
      body: { 'passphrase?': 'string|null', 'pictures?': 'boolean' },
      answer: 'application/octet-stream',
      slow: true,
      handle: async ({ request, who }) => {
        new Sight(who, engine).demandWhole()
        const body = await readJsonBody(request, MAX_TEXT)
        const options = { passphrase: passphraseIn(body), pictures: field(body, 'pictures') !== false }
        const { name, bytes } = await backups.make(options, who.author, request.signal)
        return new Response(bytes, {
          headers: {
            'content-type': 'application/octet-stream',
            'content-disposition': `attachment; filename="${name}"`,
            'cache-control': 'no-store',
          },
        })
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/system/restore',
      permission: 'system.manage',
      summary: 'Send a backup that is to be restored, as its bytes; nothing is done with it yet',
      body: 'bytes',
      answer: UPLOADED,
      slow: true,
      handle: async ({ request, who }) => {
        new Sight(who, engine).demandWhole()
        if (!request.body)
          throw new GatehouseError('bad_body', 'Send the backup as the body.', { status: 422 })
        return json(await backups.take(request.body))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/system/restore',
      permission: 'system.manage',
      summary: 'Look at every byte of what was sent; `confirmed`: start anew as the box that it is',
      body: { 'passphrase?': 'string|null', 'confirmed?': 'boolean' },
      answer: TO_RESTORE,
      slow: true,
      handle: async ({ request, who }) => {
        new Sight(who, engine).demandWhole()
        const body = await readJsonBody(request, MAX_TEXT)
        const confirmed = field(body, 'confirmed') === true
        return json(await backups.restore({ passphrase: passphraseIn(body), confirmed }, who.author))
      },
    },
    {
      method: 'POST',
      path: '/api/v1/system/bundle',
      permission: 'system.manage',
      summary: 'Make a file for whoever helps: no secret, no plate, no name of a person in it',
      answer: 'application/gzip',
      slow: true,
      handle: async ({ who }) => {
        new Sight(who, engine).demandWhole()
        return new Response(await care.bundle(who.author), {
          headers: {
            'content-type': 'application/gzip',
            'content-disposition': 'attachment; filename="gatehouse-support.tar.gz"',
            'cache-control': 'no-store',
          },
        })
      },
    },
    {
      method: 'POST',
      path: '/api/v1/system/safe-mode/leave',
      permission: 'system.manage',
      summary: 'Have a box in safe mode start as usual, now',
      answer: { leaving: 'boolean' },
      handle: async ({ who }) => json({ leaving: await care.leaveSafeMode(who.author) }),
    },
  ]
}

function passphraseIn(body: unknown): string | null {
  const value = field(body, 'passphrase') ?? null
  if (value === null || value === '') return null
  if (typeof value === 'string') return value
  throw new GatehouseError('bad_body', '`passphrase` must be a text.', { status: 422 })
}
