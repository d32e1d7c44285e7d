import { GatehouseError } from '../core/index.ts'
import type { Tried, TriedEvent, TryOutcome } from '../engine/index.ts'
import { askBox } from './box.ts'
import { type Command, exit, print, readArgs, readText, WrongUse } from './command.ts'
import { line } from './validate.ts'

export const tryCommand: Command = {
  usage: 'try FILE [--workflow ID] [--data FOLDER | --port N] [--json]',
  summary: 'a file on the last events of the box that is up: what came of them, and what would now',
  async run(args) {
    const { values, words } = readArgs(args, {
      workflow: { type: 'string' },
      port: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [file] = words
    if (!file || words.length > 1) throw new WrongUse('name one workflow file')
    const yaml = await readText(file)
    const path = values.workflow === undefined ? 'try' : `${encodeURIComponent(values.workflow)}/try`
    const init = { type: 'text/yaml', body: yaml }
    const how = 'start it with gatehouse up, or name its --port'
    const meant = { port: values.port, data: values.data }
    const response = await askBox(`/api/v1/workflows/${path}`, init, meant, how)
    const body = (await response.json()) as Body
    if (values.json) print(JSON.stringify(body))
    else if (response.ok) for (const text of report(body, values.workflow !== undefined)) print(text)
    if (response.ok) return exit.done
    const problems = body.problems?.map(each => line({ ...each, file })).join('; ')
    throw new GatehouseError('not_tried', problems ?? body.detail ?? `the box answered ${response.status}`)
  },
}

type Good = Extract<TryOutcome, { ok: true }>
type Body = Good & { problems?: Extract<TryOutcome, { ok: false }>['problems']; detail?: string }

function report({ tried, flipped, note }: Good, compared: boolean): string[] {
  const hint =
    'To see beside it what came of each then, name the workflow of which it is a draft: --workflow ID'
  if (note) return compared ? [note] : [note, hint]
  const events = tried.length === 1 ? '1 event' : `${tried.length} events`
  const differ = `${flipped === 0 ? 'none comes' : flipped === 1 ? '1 comes' : `${flipped} come`} out differently`
  return [...tried.map(row), ...(compared ? [`${events}, ${differ}.`] : [`${events}.`, hint])]
}

function row({ event, then, now, kept_out, flipped }: TriedEvent): string {
  const before = then ? cameTo(then) : 'did not run'
  const after = now ? cameTo(now) + (now.reason ? ` (${now.reason})` : '') : `no run (${kept_out?.message})`
  return `${flipped ? '≠' : ' '} ${event.at}  ${event.camera ?? ''}  ${before} → ${after}`
}

/** The decision of AI and who is asked by it; without AI, what is done. */
function cameTo({ decision, asks, did }: Tried): string {
  if (decision === null) return did
  return asks ? `${decision}, asks ${asks.who.join(', ')}` : decision
}
