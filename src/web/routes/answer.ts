import { GatehouseError } from '../../core/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { type Call, json, type Route } from '../route.ts'
import { ANSWERED, LINKED_QUESTION } from '../schemas/index.ts'

/**
 * One question, for whoever has a link to it: the secret of the link comes in the body, so that no address shows it. It
 * opens nothing else.
 */
export function answerRoutes({ engine, access, links }: WebDeps): Route[] {
  const opened = async ({ request, from }: Call) => {
    const body = await readJsonBody(request, MAX_TEXT)
    const secret = field(body, 'link')
    if (typeof secret !== 'string')
      throw new GatehouseError('bad_body', '`link` must be the last part of the link.', { status: 422 })
    const link = await access.byLink(from, () => links?.find(secret) ?? null)
    return { body, link }
  }
  return [
    {
      method: 'POST',
      path: '/api/v1/answer/question',
      permission: 'public',
      summary: 'The question of a link that somebody was sent; decides nothing',
      body: { link: 'string' },
      answer: LINKED_QUESTION,
      handle: async call => {
        const { link } = await opened(call)
        const view = links?.view(link)
        if (!view) throw notFound('question')
        return json({ ...view, you: link.person })
      },
    },
    {
      method: 'POST',
      path: '/api/v1/answer',
      permission: 'public',
      summary: 'Answer the question of a link that you were sent; the first answer counts',
      body: { link: 'string', reply: 'string' },
      answer: ANSWERED,
      handle: async call => {
        const { body, link } = await opened(call)
        const reply = field(body, 'reply')
        if (typeof reply !== 'string')
          throw new GatehouseError('bad_body', '`reply` must be the text of one of the replies.', {
            status: 422,
          })
        const as = { by: 'link', name: link.person }
        const { status, answer, answered_by } = await engine.answer(link.question, reply, as)
        return json({ status, answer, answered_by })
      },
    },
  ]
}
