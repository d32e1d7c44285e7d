import { GatehouseError } from '../../core/index.ts'
import { decode, field, MAX_TEXT, mediaType, readBytes, readJsonBody, unsupported } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { type Call, json, type Route } from '../route.ts'

const NAME = /^([a-z][a-z0-9_-]{0,63})\.csv$/

/** The site's rules: facts, lists, modes, people, camera roles, tools and destinations. */
export function siteRuleRoutes({ siteRules }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/site-rules',
      permission: 'site.manage',
      summary: "Read the site's rules",
      handle: () => json(siteRules.view()),
    },
    {
      method: 'PUT',
      path: '/api/v1/site-rules',
      permission: 'site.manage',
      summary: "Change the site's rules",
      body: { set: 'object', 'version?': 'integer|null' },
      handle: async ({ request, who }) => {
        const body = await readJsonBody(request, MAX_TEXT)
        const version = field(body, 'version') ?? null
        if (version !== null && !Number.isSafeInteger(version))
          throw new GatehouseError('bad_body', '`version` must be the version that you changed.', {
            status: 422,
          })
        return json(await siteRules.put(field(body, 'set'), who.author, version as number | null))
      },
    },
    {
      method: 'GET',
      path: '/api/v1/site-rules/versions',
      permission: 'site.manage',
      summary: "List the versions of the site's rules",
      answer: { versions: 'array' },
      handle: () => json({ versions: siteRules.versions() }),
    },
    {
      method: 'GET',
      path: '/api/v1/site-rules/lists/:file',
      permission: 'site.manage',
      summary: 'Read a list as CSV',
      answer: 'text/csv',
      handle: call => {
        const name = nameOf(call)
        const csv = siteRules.list(name)
        if (csv === null) throw notFound('list')
        return new Response(csv, {
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': `attachment; filename="${name}.csv"`,
            'cache-control': 'no-store',
          },
        })
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/site-rules/lists/:file',
      permission: 'site.manage',
      summary: 'Replace a list by CSV; an empty body only where that is said',
      query: { 'empty?': ['true'] },
      body: 'csv',
      handle: async call => {
        const name = nameOf(call)
        if (!/^(text\/(csv|plain)|application\/(csv|vnd\.ms-excel))$/.test(mediaType(call.request)))
          throw unsupported('text/csv')
        const csv = decode(await readBytes(call.request, MAX_TEXT))
        // A file that was not found is sent as nothing by some programs: that must not take away everybody.
        if (csv.trim() === '' && call.query.get('empty') !== 'true') {
          const message = `The body is empty: send the entries of ${name}, or ?empty=true to leave it without any.`
          throw new GatehouseError('empty_file', message, { status: 422 })
        }
        return json(await siteRules.putList(name, csv, call.who.author))
      },
    },
    {
      method: 'DELETE',
      path: '/api/v1/site-rules/lists/:file',
      permission: 'site.manage',
      summary: 'Take back a list that was set on this box: what the site file says of it counts again',
      answer: { version: 'integer' },
      handle: async call => json(await siteRules.dropList(nameOf(call), call.who.author)),
    },
  ]
}

function nameOf({ params }: Call): string {
  const name = NAME.exec(params.file ?? '')?.[1]
  if (name === undefined) throw notFound('list')
  return name
}
