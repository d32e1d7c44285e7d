import { GatehouseError } from '../core/index.ts'
import { askBox } from './box.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'

const FOLDERS = { channel: 'channels', destination: 'destinations', camera: 'cameras' } as const

interface Came {
  outcome: 'works' | 'failed' | 'left'
  message: string
  places?: { at: string | null; problem: string | null }[]
}

export const test: Command = {
  usage: 'test channel|destination|camera NAME [--data FOLDER | --port N] [--json]',
  summary:
    'has the box that is up try a channel, destination or camera of its site; what moves is not sent to',
  async run(args) {
    const { values, words } = readArgs(args, {
      data: { type: 'string' },
      port: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [kind, name, ...more] = words
    if (!kind || !Object.hasOwn(FOLDERS, kind) || !name || more.length)
      throw new WrongUse('name what is tried: channel, destination or camera, and its name')
    const folder = FOLDERS[kind as keyof typeof FOLDERS]
    const path = `/api/v1/site/${folder}/${encodeURIComponent(name)}/test`
    const how = 'start it with gatehouse up, or name its --port'
    const response = await askBox(
      path,
      { type: 'application/json' },
      { ...values, port: values.port, data: values.data },
      how,
    )
    const answer = (await response.json()) as Came & { code?: string; detail?: string }
    if (!response.ok)
      throw new GatehouseError(
        answer.code ?? 'failed',
        answer.detail ?? `the box answered ${response.status}`,
      )
    if (values.json) print(JSON.stringify(answer))
    else for (const line of linesOf(name, answer)) print(line)
    return answer.outcome === 'failed' ? exit.failed : exit.done
  },
}

const WORDS = { works: 'works', failed: 'does not work', left: 'was not tried' }

function linesOf(name: string, { outcome, message, places = [] }: Came): string[] {
  const each = places.map(({ at, problem }) => `  ${at ?? name}: ${problem ?? 'sent'}`)
  return [`${name} ${WORDS[outcome]}: ${message}`, ...(places.length > 1 || outcome === 'failed' ? each : [])]
}
