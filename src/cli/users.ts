import type { UserView } from '../web/index.ts'
import { type BoxDesk, openDesk } from './box.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'
import { dataFolder } from './data-folder.ts'
import { readPassword } from './password.ts'

const USERS = '/api/v1/users'

interface Asked {
  name: string
  role: string | undefined
  cameras: string[] | null | undefined
}

export const users: Command = {
  usage:
    'users list|add|role|password|unlock|remove [NAME [ROLE]] [--role ROLE] [--cameras yard,role:gate|all] [--data FOLDER] [--json]',
  summary: 'who may sign in: viewer, operator or admin; the way back in, on the box, whether it is up or not',
  async run(args) {
    const { values, words } = readArgs(args, {
      role: { type: 'string' },
      cameras: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [action = 'list', name, role, ...more] = words
    const act = Object.hasOwn(ACTIONS, action) ? ACTIONS[action as keyof typeof ACTIONS] : undefined
    if (!act) throw new WrongUse(`“${action}” is none of ${Object.keys(ACTIONS).join(', ')}`)
    if (more.length || (role !== undefined && action !== 'role'))
      throw new WrongUse('that is one word too many')
    if (name === undefined && action !== 'list') throw new WrongUse(`name the user: users ${action} NAME`)
    const cameras = camerasIn(values.cameras)
    // Asked for before the folder is held: nobody waits for somebody who types.
    const asked = { name: name ?? '', role: values.role ?? role, cameras }
    const password = action === 'add' || action === 'password' ? await readPassword() : ''
    const desk = await openDesk(dataFolder(values.data), action === 'add')
    try {
      const said = await act(desk, asked, password)
      if (values.json) print(JSON.stringify(await listOf(desk)))
      else for (const line of said) print(line)
    } finally {
      desk.close()
    }
    return exit.done
  },
}

const ACTIONS = {
  list: async (desk: BoxDesk) => {
    const list = await listOf(desk)
    return list.length ? list.map(line) : ['Nobody has a login: gatehouse users add NAME --role admin']
  },
  add: async (desk: BoxDesk, { name, role = 'admin', cameras = null }: Asked, password: string) => {
    const added = await desk.call<UserView>('POST', USERS, { name, role, cameras, password })
    return [`Added ${line(added)}`]
  },
  role: async (desk: BoxDesk, { name, role, cameras }: Asked) => {
    if (role === undefined && cameras === undefined)
      throw new WrongUse('say which: users role NAME viewer|operator|admin, or --cameras')
    const change = { ...(role !== undefined && { role }), ...(cameras !== undefined && { cameras }) }
    return [line(await desk.call('PUT', await pathOf(desk, name), change))]
  },
  password: async (desk: BoxDesk, { name }: Asked, password: string) => {
    await desk.call('PUT', `${await pathOf(desk, name)}/password`, { password })
    return [`${name} has another password, and is signed out everywhere`]
  },
  unlock: async (desk: BoxDesk, { name }: Asked) => {
    await desk.call('POST', `${await pathOf(desk, name)}/unlock`)
    return [`${name} may sign in again`]
  },
  remove: async (desk: BoxDesk, { name }: Asked) => {
    await desk.call('DELETE', await pathOf(desk, name))
    return [`Removed ${name}`]
  },
}

const listOf = async (desk: BoxDesk) => (await desk.call<{ users: UserView[] }>('GET', USERS)).users

async function pathOf(desk: BoxDesk, name: string): Promise<string> {
  const list = await listOf(desk)
  const user = list.find(each => each.name.toLowerCase() === name.trim().toLowerCase())
  if (user) return `${USERS}/${user.id}`
  const known = list.map(each => each.name).join(', ')
  throw new WrongUse(`there is no user “${name}”${known ? `; there is ${known}` : ''}`)
}

function camerasIn(text: string | undefined): string[] | null | undefined {
  if (text === undefined || text === 'all') return text === undefined ? undefined : null
  return text
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')
}

function line({ name, role, cameras, locked_until }: UserView): string {
  const seen = cameras === null ? 'all cameras' : cameras.join(' ')
  return `${name}: ${role}, ${seen}${locked_until ? `, locked until ${locked_until}` : ''}`
}
