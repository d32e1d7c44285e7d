import { expect, test } from 'vitest'
import { buildPage } from '../../src/web/build-page.ts'

/** Bytes, as they go over the line to whoever opens the page. */
const MOST = 60_000

test('what a browser loads before it opens an editor is light', async () => {
  const { html, files } = await buildPage()
  const named = Object.keys(files).filter(name => html.includes(name))
  const texts = await Promise.all(named.map(name => files[name]?.text() ?? ''))
  expect(named.some(name => /^main-.*\.js$/.test(name))).toBe(true)
  // Nothing else comes along with it.
  expect(texts.join('').match(/(?<![\w$.])(from|import) ?"\.\//g)).toBeNull()
  const weight = [html, ...texts].reduce((sum, text) => sum + Bun.gzipSync(text).length, 0)
  expect(weight).toBeGreaterThan(20_000)
  expect(weight).toBeLessThanOrEqual(MOST)
})
