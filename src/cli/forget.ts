import { GatehouseError } from '../core/index.ts'
import type { ForgetOutcome, ForgetPreview, Forgotten } from '../engine/index.ts'
import { askBox } from './box.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'
import { firstLine } from './password.ts'

const PATH = '/api/v1/privacy/forget'
const HOW = 'start it with gatehouse up, or name its --data'

/** What there is of it, or what went: with what the box holds of its database besides. */
type Said = Forgotten &
  Partial<ForgetPreview & ForgetOutcome> & { copies: number; set_aside: number; copy_problem?: string | null }

export const forget: Command = {
  usage:
    'forget --plate PLATE|- | --face NAME|- | --from TIME --until TIME [--camera ID] [--yes] [--data FOLDER | --port N] [--json]',
  summary:
    'what there is of a plate, a face or a span of time; --yes: forget it for good, pictures and copies included',
  async run(args) {
    const { values, words } = readArgs(args, {
      plate: { type: 'string' },
      face: { type: 'string' },
      from: { type: 'string' },
      until: { type: 'string' },
      camera: { type: 'string' },
      yes: { type: 'boolean' },
      data: { type: 'string' },
      port: { type: 'string' },
      json: { type: 'boolean' },
    })
    if (words.length) throw new WrongUse(`“${words[0]}” is not expected here`)
    const { plate, face, from, until, camera, yes } = values
    const ways = [plate, face, from ?? until].filter(each => each !== undefined)
    if (ways.length !== 1) throw new WrongUse('say what: --plate, --face, or --from with --until')
    if (camera !== undefined && from === undefined)
      throw new WrongUse('--camera goes with --from and --until')
    // What is typed as a flag is remembered by the shell.
    const typed = async (text: string | undefined) => (text === '-' ? await firstLine() : text)
    const what = { plate: await typed(plate), face: await typed(face), from, until, camera }
    const said = await ask(
      yes ? PATH : `${PATH}/preview`,
      { ...what, ...(yes && { confirmed: true }) },
      values,
    )
    if (values.json) print(JSON.stringify(said))
    else for (const line of yes ? done(said) : seen(said)) print(line)
    return said.left?.length || said.clean === false || said.copy_problem ? exit.failed : exit.done
  },
}

async function ask(
  path: string,
  what: object,
  { port, data }: { port?: string | undefined; data?: string | undefined },
): Promise<Said> {
  const body = JSON.stringify(what)
  const response = await askBox(path, { body, type: 'application/json' }, { port, data }, HOW)
  const answer = (await response.json()) as Said & { code?: string; detail?: string }
  if (response.ok) return answer
  throw new GatehouseError(answer.code ?? 'failed', answer.detail ?? `the box answered ${response.status}`)
}

const counts = ({ runs, pictures, clips, events, notices, cases, audit, promises }: Said) =>
  `${runs} runs, ${pictures} pictures, ${clips} clips, ${events} events, ${notices} notices, ${cases} cases, ` +
  `${audit} entries of the audit, ${promises} things that wait`

const ELSEWHERE =
  'Backups that lie elsewhere, and what was sent to others, the box cannot reach: make new backups and remove the old ones.'

function seen(said: Said): string[] {
  const { running = 0, written, copies, set_aside: aside } = said
  return [
    `There are ${counts(said)}.`,
    ...(running ? [`${running} of the runs are not over: they are stopped first.`] : []),
    `With it go ${copies} copies of the database, for a new one, and what was set aside (${aside}).`,
    ...(written?.workflows.length ? [`It stays in workflows: ${written.workflows.join(', ')}.`] : []),
    ...(written?.rules ? ['It stays in the rules of the site, their lists and former versions.'] : []),
    ELSEWHERE,
    'Nothing has gone yet: say --yes to forget it for good.',
  ]
}

function done(said: Said): string[] {
  const { kept = 0, left = [], clean, copy_problem: problem } = said
  return [
    `Gone: ${counts(said)}.`,
    ...(kept ? [`Of ${kept} runs only the fact stays: what was moved, and when.`] : []),
    ...(left.length
      ? [`These runs would not end and are there still: ${left.join(', ')}. Do it again.`]
      : []),
    ...(clean ? [] : ['The files of the database hold it still, for they are being read: do it again.']),
    ...(problem ? [`The old copies are gone and there is no new one: ${problem}`] : []),
    ELSEWHERE,
  ]
}
