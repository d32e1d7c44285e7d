import { GatehouseError } from '../../core/index.ts'
import { field, MAX_TEXT, readJsonBody } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { idOf, json, type Route } from '../route.ts'
import { APPROVAL, list } from '../schemas/index.ts'
import { Sight } from '../sight.ts'

/**
 * Questions to people: to list, and to answer one by one. There is no way to clear several at once: whatever
 * acknowledges alerts leaves these alone.
 */
export function approvalRoutes({ engine }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/approvals',
      permission: 'workflows.view',
      summary:
        'List questions to people: open ones, the most urgent first, then the latest that were decided',
      query: { 'open?': ['true', 'false'] },
      answer: { approvals: list(APPROVAL) },
      handle: ({ query, who }) => {
        const open = query.get('open') ?? 'false'
        if (open !== 'true' && open !== 'false')
          throw new GatehouseError('bad_query', '`open` must be true or false.', { status: 400 })
        const approvals = engine.approvals({ open: open === 'true' })
        return json({ approvals: new Sight(who, engine).approvals(approvals) })
      },
    },
    {
      method: 'POST',
      path: '/api/v1/approvals/:id',
      permission: 'workflows.approve',
      summary: 'Answer a question with one of its replies; the first answer counts',
      body: { reply: 'string' },
      answer: APPROVAL,
      handle: async call => {
        const id = idOf(call, 'question')
        if (!new Sight(call.who, engine).question(id)) throw notFound('question')
        const reply = field(await readJsonBody(call.request, MAX_TEXT), 'reply')
        if (typeof reply !== 'string')
          throw new GatehouseError('bad_body', '`reply` must be the text of one of the replies.', {
            status: 422,
          })
        return json(await engine.answer(id, reply, call.who.as))
      },
    },
  ]
}
