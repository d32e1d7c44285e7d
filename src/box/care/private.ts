import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunView, WorkflowView } from '../../engine/index.ts'
import type { Site } from '../../site/index.ts'
import type { Store } from '../../store/index.ts'
import type { Private } from './scrub.ts'

/** Longer files hold keys and certificates: their first line alone would betray nothing, each of them does. */
const MOST_SECRET = 16_384

/** What of a box is private, as far as the box can know. */
export async function privateOf(of: {
  dataDir: string
  site: Site | null
  store?: Store
  workflows?: readonly Pick<WorkflowView, 'hook'>[]
  runs?: readonly RunView[]
}): Promise<Private> {
  const { dataDir, site, store, workflows = [], runs = [] } = of
  const users = store?.users.list().map(({ name }) => name) ?? []
  const people = site ? [...Object.keys(site.rules.people), ...site.reach.people.keys()] : []
  const lists = Object.values(site?.rules.lists ?? {}).flatMap(valuesIn)
  return {
    secrets: [
      ...(await secretsIn(dataDir)),
      ...workflows.flatMap(({ hook }) => hook?.split('/').at(-1) ?? []),
    ],
    people: [
      ...people,
      ...users,
      ...runs.flatMap(({ values }) => named(values, ['answered_by', 'pressed_by'])),
    ],
    entries: [...lists, ...runs.flatMap(({ values }) => named(values, ['plate', 'face', 'name']))],
  }
}

async function secretsIn(dataDir: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of [join(dataDir, 'secrets'), process.env.CREDENTIALS_DIRECTORY].filter(each => !!each)) {
    const files = await readdir(String(folder), { withFileTypes: true }).catch(() => [])
    for (const file of files.filter(each => each.isFile())) {
      const text = await readFile(join(file.parentPath, file.name), 'utf8').catch(() => '')
      if (text.length <= MOST_SECRET) found.push(text, ...text.split('\n'))
    }
  }
  return found
}

const named = (values: { [key: string]: unknown }, names: readonly string[]): string[] =>
  names.flatMap(name => (typeof values[name] === 'string' ? [values[name]] : []))

/** Of a list its entries, whatever form they have. */
function valuesIn(list: unknown): string[] {
  if (typeof list === 'string') return [list]
  if (Array.isArray(list)) return list.flatMap(valuesIn)
  if (list instanceof Map || list instanceof Set) return [...list.keys()].flatMap(valuesIn)
  if (list !== null && typeof list === 'object')
    return ['value', 'note'].flatMap(name => valuesIn((list as Record<string, unknown>)[name] ?? []))
  return []
}
