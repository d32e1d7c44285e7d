import type { TokenView } from '../web/index.ts'
import { type BoxDesk, openDesk } from './box.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'

const TOKENS = '/api/v1/tokens'

export const tokens: Command = {
  usage:
    'tokens list|add|remove [NAME|ID] [--user NAME] [--scopes read,approve,…] [--days N] [--data FOLDER] [--json]',
  summary:
    'what programs show instead of a password: each is somebody’s, is shown once and may be taken back',
  async run(args) {
    const { values, words } = readArgs(args, {
      user: { type: 'string' },
      scopes: { type: 'string' },
      days: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [action = 'list', name, ...more] = words
    if (more.length) throw new WrongUse(`“${more[0]}” is not expected here`)
    const desk = await openDesk(dataFolder(values.data), false)
    try {
      if (action === 'list') await list(desk, values.json === true)
      else if (action === 'add') await add(desk, name, values)
      else if (action === 'remove') await remove(desk, name)
      else throw new WrongUse(`“${action}” is none of list, add, remove`)
    } finally {
      desk.close()
    }
    return exit.done
  },
}

async function list(desk: BoxDesk, json: boolean): Promise<void> {
  const { tokens: all } = await desk.call<{ tokens: TokenView[] }>('GET', TOKENS)
  if (json) print(JSON.stringify(all))
  else if (!all.length) print('There are no tokens')
  else for (const token of all) print(line(token))
}

async function add(
  desk: BoxDesk,
  name: string | undefined,
  { user, scopes, days, json }: { user?: string; scopes?: string; days?: string; json?: boolean },
): Promise<void> {
  if (name === undefined || user === undefined)
    throw new WrongUse('say what it is for and whose it is: tokens add "Home Assistant" --user NAME')
  const given = {
    name,
    user,
    scopes: (scopes ?? 'read').split(','),
    days: days === undefined ? null : Number(days),
  }
  const made = await desk.call<TokenView & { token: string }>('POST', TOKENS, given)
  if (json) return print(JSON.stringify(made))
  print(line(made))
  print(`It is shown this once: ${made.token}`)
}

async function remove(desk: BoxDesk, id: string | undefined): Promise<void> {
  if (id === undefined || !/^[1-9]\d{0,14}$/.test(id))
    throw new WrongUse('name the token by its number: tokens remove ID (see tokens list)')
  await desk.call('DELETE', `${TOKENS}/${id}`)
  print(`Token ${id} is taken back`)
}

function line({ id, name, user, scopes, used_at, expires_at }: TokenView): string {
  const until = expires_at === null ? '' : `, until ${expires_at}`
  return `${id}: ${name}, as ${user}: ${scopes.join(' ')}, ${used_at === null ? 'never used' : `used ${used_at}`}${until}`
}
