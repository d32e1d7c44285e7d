import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check } from '../src/engine/index.ts'
import { missingIn, type World } from '../src/kinds/index.ts'
import { Site } from '../src/site/index.ts'
import { type Box, startBox } from './web/box.ts'

const root = resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const texts = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'))
const pages = ['README.md', ...texts.map(name => join('docs', name))]
const all = pages.flatMap(page =>
  [...read(page).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, yaml = ''], i) => ({
    page,
    yaml,
    title: `${page}, example ${i + 1}: ${/^name: (.*)$/m.exec(yaml)?.[1]}`,
  })),
)
const isSite = ({ yaml }: { yaml: string }) => yaml.startsWith('cameras:')
const blocks = all.filter(block => !isSite(block))
/** The site that a page describes: its examples hold there. */
const sites = new Map(all.filter(isSite).map(({ page, yaml }) => [page, Site.load(yaml, 'site.yaml')]))

/** Whom a site names, as far as a check asks for them. */
const worldOf = (site: Site): World => ({
  ...(site.mqtt && { broker: { lacks: null, publish: async () => undefined } }),
  ...(site.homeAssistant && {
    home: { lacks: null, call: async () => ({ changed: [] }), state: async () => null },
  }),
  ...(site.cameras.some(({ stream }) => stream) && {
    recorder: { lacks: null, clip: () => Promise.reject(new Error('nothing is recorded here')) },
  }),
  ...(site.nats && { tracks: { lacks: null } }),
})

describe('what the pages show', () => {
  it('has ten small workflows and more', () => {
    expect(blocks.filter(({ title }) => title.startsWith('docs/workflows.md')).length).toBeGreaterThan(10)
  })

  it.each(blocks)('$title: holds, and can be run', ({ page, yaml }) => {
    const site = sites.get(page)
    expect(site?.warnings).toEqual([])
    const able = { ...(site?.language && { investigate: null }), world: site ? worldOf(site) : {} }
    const { workflow, problems } = check(yaml, { ...(site && { site }), ...able })
    expect(problems).toEqual([])
    expect(workflow && missingIn(workflow, able)).toEqual([])
  })

  it('shows a newcomer a first file that holds without any site', () => {
    const first = blocks.find(({ page }) => page === 'README.md')
    expect(check(first?.yaml ?? '').problems).toEqual([])
  })

  it('names files that are there', () => {
    for (const page of pages) {
      const named = [...read(page).matchAll(/\b(?:templates|docs|models)\/[\w./-]+\.(?:ya?ml|jpg|md)\b/g)]
      const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, to = '']) =>
        join(page, '..', to),
      )
      for (const file of [...named.map(([name]) => name), ...links])
        expect([page, file, existsSync(join(root, file))]).toEqual([page, file, true])
    }
  })
})

describe('the page on HTTP', () => {
  let box: Box
  beforeAll(async () => {
    box = await startBox()
  })
  afterAll(() => box.stop())

  it('has every route, each with a line to try, and none that is not there', () => {
    const page = read('docs/api.md')
    const said = [...page.matchAll(/^# ([A-Z]+ \/\S+).*\ncurl /gm)].map(([, route]) => route)
    const there = box.server.routes.flatMap(({ method, path }) =>
      path.startsWith('/api/') || /^\/(health|ready|metrics)$/.test(path) ? [`${method} ${path}`] : [],
    )
    expect(said.toSorted()).toEqual(there.toSorted())
  })
})
