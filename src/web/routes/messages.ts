import { parseDuration, plainText } from '../../contract/index.ts'
import { GatehouseError } from '../../core/index.ts'
import { addressed } from '../addressed.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import { runAt, workflowAt } from '../find.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { ReplyWaits } from '../reply-waits.ts'
import { type Call, json, type Route } from '../route.ts'
import { REPLIES, WRITTEN_TO } from '../schemas/index.ts'

/** Longest texts, in characters. */
const MOST = { text: 4_000, from: 100, channel: 60 }
/** An answer is waited for so long at a time: less than what cuts a silent connection. */
const LONGEST_WAIT_MS = 50_000

/** Messages to workflows, and what they answer. */
export function messageRoutes(deps: WebDeps): Route[] {
  const { engine, clock } = deps
  const waits = new ReplyWaits(deps)
  return [
    {
      method: 'POST',
      path: '/api/v1/workflows/:id/message',
      permission: 'workflows.message',
      summary: 'Write to a workflow',
      body: { text: 'string', 'from?': 'string', 'channel?': 'string' },
      answer: WRITTEN_TO,
      status: 202,
      handle: async call => {
        const { request, who } = call
        const workflow = workflowAt(call, engine)
        if (workflow.trigger !== 'message')
          throw new GatehouseError('no_messages', `${workflow.name} does not start by a message.`, {
            status: 409,
          })
        const event = await messageIn(request, who.as.name)
        const delivery = { event, pictures: [] }
        const [admission] = await engine.submit(
          addressed('message', workflow, delivery, clock.now(), request, who.as),
        )
        if (!admission) throw notFound('workflow')
        const { run, reason } = admission
        return json({ run, reason, reply: run === null ? null : `/api/v1/runs/${run}/reply` }, 202)
      },
    },
    {
      method: 'GET',
      path: '/api/v1/runs/:id/reply',
      permission: 'workflows.message',
      summary: 'Read what a run answers to the message that started it',
      query: { 'after?': 'integer', 'wait?': 'string' },
      answer: REPLIES,
      handle: async call => {
        const run = runOf(call, engine)
        return json(await waits.next(run, afterIn(call.query), waitIn(call.query), call.request.signal))
      },
    },
  ]
}

/** The run of `:id`, where whoever asks may see it: all runs, or one that they began. Throws 404. */
function runOf(call: Call, engine: WebDeps['engine']): number {
  const { as, may } = call.who
  const { id, trigger } = runAt(call, engine)
  if (may.has('workflows.view')) return id
  const by = trigger.event.by as { by?: unknown; name?: unknown } | undefined
  if (by?.by !== as.by || by.name !== as.name) throw notFound('run')
  return id
}

/** `name`: of whoever sends it, where they do not say who wrote. Throws `bad_body` (422). */
async function messageIn(request: Request, name: string): Promise<{ [key: string]: string }> {
  const body = await readJsonBody(request, MAX_TEXT)
  const message = textIn(body, 'text')
  if (message.trim() === '') throw refuse('`text` must be what you want to say.')
  const id = field(body, 'correlation_id')
  return {
    message,
    from: textIn(body, 'from') || name,
    channel: textIn(body, 'channel'),
    ...(typeof id === 'string' && { correlation_id: id.slice(0, 200) }),
  }
}

/** A text as people read it; empty where it is left out. */
function textIn(body: unknown, name: keyof typeof MOST): string {
  const value = field(body, name) ?? ''
  if (typeof value !== 'string') throw refuse(`\`${name}\` must be a text.`)
  if (value.length > MOST[name]) throw refuse(`\`${name}\` may have ${MOST[name]} characters at most.`)
  return plainText(value)
}

/** The number of the last answer that was read; -1: none. */
function afterIn(query: URLSearchParams): number {
  const text = query.get('after')
  if (text === null) return -1
  if (!/^\d{1,9}$/.test(text)) throw badQuery('`after` must be the `seq` of an answer.')
  return Number(text)
}

function waitIn(query: URLSearchParams): number {
  const text = query.get('wait')
  if (text === null) return 0
  const ms = parseDuration(text)
  if (ms === null || ms === undefined || ms > LONGEST_WAIT_MS)
    throw badQuery(`\`wait\` must be a duration such as \`20s\`, ${LONGEST_WAIT_MS / 1000}s at most.`)
  return ms
}

const refuse = (what: string) => new GatehouseError('bad_body', what, { status: 422 })
const badQuery = (what: string) => new GatehouseError('bad_query', what, { status: 400 })
