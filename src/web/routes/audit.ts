import type { WebDeps } from '../ports.ts'
import { pageIn } from '../query.ts'
import { json, type Route } from '../route.ts'
import { AUDIT, list } from '../schemas/index.ts'

/** Who switched, stopped, held back and changed what. */
export function auditRoutes({ engine }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/audit',
      permission: 'site.manage',
      summary: 'List who did what, newest first',
      query: { 'limit?': 'integer', 'before?': 'integer' },
      answer: { entries: list(AUDIT), next: 'integer|null' },
      handle: ({ query }) => {
        const page = pageIn(query)
        const entries = engine.audit(page)
        return json({ entries, next: entries.length < page.limit ? null : (entries.at(-1)?.id ?? null) })
      },
    },
  ]
}
