import { GatehouseError } from '../../core/index.ts'
import { RULE_PARTS as PARTS } from '../../site/index.ts'
import { decode, field, MAX_TEXT, mediaType, readBytes, readJsonBody, unsupported, wholeIn } from '../body.ts'
import type { WebDeps } from '../ports.ts'
import { notFound } from '../problem.ts'
import { isIn, numberIn } from '../query.ts'
import { type Call, json, type Route } from '../route.ts'
import {
  ENTRIES,
  LIST_SET,
  list,
  RULES,
  RULES_VERSION,
  RULES_VERSION_WITH_CHANGES,
} from '../schemas/index.ts'

const NAME = /^([a-z][a-z0-9_-]{0,63})\.csv$/

/** The site's rules: facts, lists, modes, people, camera roles, tools and destinations. */
export function siteRuleRoutes({ siteRules }: WebDeps): Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/site-rules',
      permission: 'site.manage',
      summary: "Read the site's rules",
      answer: RULES,
      query: { 'without?': ['lists'] },
      handle: ({ query }) => {
        const view = siteRules.view()
        if (query.get('without') !== 'lists') return json(view)
        const { lists: _, ...set } = view.set
        return json({ ...view, set })
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/site-rules',
      permission: 'site.manage',
      summary: "Change the site's rules",
      body: { set: 'object', 'version?': 'integer|null' },
      answer: RULES,
      handle: async ({ request, who }) => {
        const body = await readJsonBody(request, MAX_TEXT)
        return json(await siteRules.put(field(body, 'set'), who.author, wholeIn(body, 'version', 0)))
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/site-rules/parts/:part',
      permission: 'site.manage',
      summary: "Change one part of the site's rules; null: as the site file says",
      body: { value: 'object|array|string|null', 'version?': 'integer|null' },
      answer: RULES,
      handle: async ({ request, params, who }) => {
        const part = PARTS.find(each => each === params.part)
        if (!part) throw notFound('part')
        const body = await readJsonBody(request, MAX_TEXT)
        const value = field(body, 'value')
        if (value === undefined)
          throw new GatehouseError('bad_body', '`value` must be there; null: as the site file says.', {
            status: 422,
          })
        return json(await siteRules.putPart(part, value, who.author, wholeIn(body, 'version', 0)))
      },
    },
    {
      method: 'GET',
      path: '/api/v1/site-rules/versions',
      permission: 'site.manage',
      summary: "List the versions of the site's rules",
      answer: { versions: list(RULES_VERSION) },
      handle: () => json({ versions: siteRules.versions() }),
    },
    {
      method: 'GET',
      path: '/api/v1/site-rules/versions/:version',
      permission: 'site.manage',
      summary: "Read a version of the site's rules: what it changed, and what would change if it came back",
      answer: RULES_VERSION_WITH_CHANGES,
      handle: ({ params }) => {
        const version = siteRules.version(versionIn(params.version))
        if (!version) throw notFound('version')
        return json(version)
      },
    },
    {
      method: 'POST',
      path: '/api/v1/site-rules/rollback',
      permission: 'site.manage',
      summary: 'Set what was set in a former version',
      body: { to: 'integer', 'version?': 'integer|null' },
      answer: RULES,
      handle: async ({ request, who }) => {
        const body = await readJsonBody(request, MAX_TEXT)
        const to = wholeIn(body, 'to', 1)
        if (to === null)
          throw new GatehouseError('bad_body', '`to` must be the version that is to come back.', {
            status: 422,
          })
        return json(await siteRules.takeBack(to, who.author, wholeIn(body, 'version', 0)))
      },
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
      method: 'GET',
      path: '/api/v1/site-rules/entries/:list',
      permission: 'site.manage',
      summary: 'Read the entries of a list with their notes',
      answer: ENTRIES,
      handle: ({ params }) => {
        const entries = siteRules.entries(params.list ?? '')
        if (!entries) throw notFound('list')
        return json({ version: siteRules.view().version, entries })
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/site-rules/entries/:list',
      permission: 'site.manage',
      summary: 'Replace the entries of a list, each a text or { value, note }',
      body: { entries: 'array', 'version?': 'integer|null' },
      answer: LIST_SET,
      handle: async ({ request, params, who }) => {
        const body = await readJsonBody(request, MAX_TEXT)
        const entries = field(body, 'entries')
        if (!Array.isArray(entries))
          throw new GatehouseError('bad_body', '`entries` must be a list of texts or { value, note }.', {
            status: 422,
          })
        const version = wholeIn(body, 'version', 0)
        return json(await siteRules.putEntries(params.list ?? '', entries, who.author, version))
      },
    },
    {
      method: 'PUT',
      path: '/api/v1/site-rules/lists/:file',
      permission: 'site.manage',
      summary: 'Replace a list by CSV, or say what that would change; an empty body only where that is said',
      query: { 'empty?': ['true'], 'preview?': ['true'], 'version?': 'integer' },
      body: 'csv',
      answer: LIST_SET,
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
        if (isIn(call.query, 'preview')) return json(siteRules.previewList(name, csv))
        return json(await siteRules.putList(name, csv, call.who.author, expectedIn(call)))
      },
    },
    {
      method: 'DELETE',
      path: '/api/v1/site-rules/lists/:file',
      permission: 'site.manage',
      summary: 'Take back a list that was set on this box: what the site file says of it counts again',
      query: { 'version?': 'integer' },
      answer: { version: 'integer' },
      handle: async call => json(await siteRules.dropList(nameOf(call), call.who.author, expectedIn(call))),
    },
  ]
}

/** Only if that is still the version in force; null: however it is. */
const expectedIn = ({ query }: Call): number | null => numberIn(query, 'version', 999_999_999) ?? null

function versionIn(text = ''): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw notFound('version')
  return Number(text)
}

function nameOf({ params }: Call): string {
  const name = NAME.exec(params.file ?? '')?.[1]
  if (name === undefined) throw notFound('list')
  return name
}
