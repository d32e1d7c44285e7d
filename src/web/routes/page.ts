import { type PageBundle, pageBundle } from '../page-bundle.ts'
import { notFound } from '../problem.ts'
import type { Route } from '../route.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob:",
  "media-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page: one document for all of its addresses, and its files. */
export function pageRoutes(): Route[] {
  let made: Promise<PageBundle> | null = null
  const page = () => {
    made ??= pageBundle ? Promise.resolve(pageBundle) : import('../build-page.ts').then(m => m.buildPage())
    return made
  }
  const document = async () =>
    new Response((await page()).html, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'cache-control': 'no-cache',
      },
    })
  const views = [
    '/',
    '/access',
    '/answer/:secret',
    '/box',
    '/runs',
    '/runs/:id',
    '/site',
    '/site/:section',
    '/site/:section/:of',
    '/workflows/new',
    '/workflows/:id',
    '/workflows/:id/edit',
  ].map((path): Route => ({ method: 'GET', path, permission: 'public', handle: document }))
  return [
    ...views,
    {
      method: 'GET',
      path: '/assets/:name',
      permission: 'public',
      handle: async ({ params }) => {
        const { files } = await page()
        const name = params.name ?? ''
        const file = Object.hasOwn(files, name) ? files[name] : undefined
        if (!file) throw notFound('file')
        return new Response(await file.text(), {
          headers: { 'content-type': file.type, 'cache-control': 'public, max-age=31536000, immutable' },
        })
      },
    },
  ]
}
