import { GatehouseError } from '../core/index.ts'
import type { RepliesView } from '../engine/index.ts'
import { askBox, type Meant } from './box.ts'
import { type Command, exit, print, readArgs, WrongUse } from './command.ts'

/** An answer is waited for so long at a time. */
const WAIT = '20s'

export const message: Command = {
  usage: 'message WORKFLOW TEXT [--from NAME] [--data FOLDER | --port N] [--json]',
  summary: 'writes to a workflow of the box that is up, and prints what it answers',
  async run(args) {
    const { values, words } = readArgs(args, {
      from: { type: 'string' },
      port: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [workflow, text] = words
    if (!workflow || !text || words.length > 2)
      throw new WrongUse('name a workflow, and write the message behind it in quotes')
    const meant = { port: values.port, data: values.data }
    const said = { text, channel: 'console', ...(values.from !== undefined && { from: values.from }) }
    const path = `/api/v1/workflows/${encodeURIComponent(workflow)}/message`
    const sent = await ask<Sent>(path, meant, { method: 'POST', body: JSON.stringify(said) })
    if (sent.reply === null) throw new GatehouseError('no_run', sent.reason?.message ?? 'It was kept out.')
    const answers = await follow(sent.reply, meant, values.json ? () => undefined : print)
    if (values.json) print(JSON.stringify(answers))
    const { note, status, replies, would_have } = answers
    if (note && !values.json) print(note)
    return status === 'done' && replies.length + would_have.length ? exit.done : exit.failed
  },
}

interface Sent {
  reply: string | null
  reason: { message: string } | null
}

/** All answers, each printed as it comes; resolves when nothing follows. */
async function follow(path: string, meant: Meant, tell: (line: string) => void): Promise<RepliesView> {
  const all: Pick<RepliesView, 'replies' | 'would_have'> = { replies: [], would_have: [] }
  for (let after = ''; ; ) {
    const view = await ask<RepliesView>(`${path}?wait=${WAIT}${after}`, meant)
    for (const { text } of view.replies) tell(text)
    for (const { text } of view.would_have) tell(`Would have answered: ${text}`)
    all.replies.push(...view.replies)
    all.would_have.push(...view.would_have)
    const last = Math.max(-1, ...[...view.replies, ...view.would_have].map(({ seq }) => seq))
    if (last >= 0) after = `&after=${last}`
    if (view.ended) return { ...view, ...all }
  }
}

async function ask<T>(path: string, meant: Meant, init: { method?: string; body?: string } = {}): Promise<T> {
  const how = 'start it with gatehouse up, or name its --port'
  const request = { method: 'GET', ...init, type: 'application/json' }
  const response = await askBox(path, request, meant, how)
  const body = (await response.json()) as T & { code?: string; detail?: string }
  if (response.ok) return body
  throw new GatehouseError(body.code ?? 'failed', body.detail ?? `the box answered ${response.status}`)
}
