import { LEVELS, type LogFilter, logText } from '../../core/index.ts'
import type { WebDeps } from '../ports.ts'
import { numberIn, wordsIn } from '../query.ts'
import { json, type Route } from '../route.ts'
import { LOG } from '../schemas/index.ts'
import { Sight } from '../sight.ts'

const QUERY = { 'level?': LEVELS, 'text?': 'string' } as const
const MOST_SEARCHED = 200

/** The last lines of the log, as long as the process lives. */
export function logRoutes({ care: { log }, engine }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/system/log',
      permission: 'system.manage',
      summary: 'Read the last lines of the log; those behind `after` follow it',
      query: { ...QUERY, 'after?': 'integer', 'limit?': 'integer' },
      answer: LOG,
      handle: ({ query, who }) => {
        new Sight(who, engine).demandWhole()
        const most = numberIn(query, 'limit', 2_000) ?? 200
        const after =
          query.get('after') === '0' ? 0 : (numberIn(query, 'after', Number.MAX_SAFE_INTEGER) ?? 0)
        const { last, level } = log
        return json({ lines: log.lines({ ...filterIn(query), after, most }), last, level })
      },
    },
    {
      method: 'GET',
      path: '/api/v1/system/log/file',
      permission: 'system.manage',
      summary: 'The same as a file',
      query: QUERY,
      answer: 'text/plain',
      handle: ({ query, who }) => {
        new Sight(who, engine).demandWhole()
        return new Response(logText(log.lines(filterIn(query))), {
          headers: {
            'content-type': 'text/plain; charset=utf-8',
            'content-disposition': 'attachment; filename="gatehouse.log"',
            'cache-control': 'no-store',
          },
        })
      },
    },
  ]
}

function filterIn(query: URLSearchParams): LogFilter {
  const [least = 'debug'] = wordsIn(query, 'level', LEVELS) ?? []
  return { least, text: (query.get('text') ?? '').slice(0, MOST_SEARCHED) }
}
