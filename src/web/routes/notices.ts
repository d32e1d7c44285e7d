import { SEVERITIES } from '../../contract/index.ts'
import type { WebDeps } from '../ports.ts'
import { isIn, pageIn, wordsIn } from '../query.ts'
import { json, type Route } from '../route.ts'
import { list, NOTICE } from '../schemas/index.ts'
import { Sight } from '../sight.ts'

/** What people were told: alerts, notifications, and what the box itself had to say. */
export function noticeRoutes({ engine }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/notices',
      permission: 'workflows.view',
      summary: 'List what people were told, newest first',
      query: {
        'kind?': ['alert', 'notify'],
        'severity?': SEVERITIES,
        'unsettled?': ['true', 'false'],
        'limit?': 'integer',
        'before?': 'integer',
      },
      answer: { notices: list(NOTICE), next: 'integer|null' },
      handle: ({ query, who }) => {
        const kinds = wordsIn(query, 'kind', ['alert', 'notify'])
        const severities = wordsIn(query, 'severity', SEVERITIES)
        const unsettled = isIn(query, 'unsettled')
        const page = pageIn(query)
        const notices = engine.notices({
          ...page,
          unsettled,
          ...(kinds && { kinds }),
          ...(severities && { severities }),
        })
        const next = notices.length < page.limit ? null : (notices.at(-1)?.id ?? null)
        const sight = new Sight(who, engine)
        return json({ notices: notices.filter(each => sight.notice(each)), next })
      },
    },
  ]
}
