import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const src = resolve(import.meta.dirname, '../src')

/** The house: the floor of each folder. Same floor means neighbours, who do not import each other. */
const floors: Record<string, number> = {
  contract: 0,
  core: 1,
  hardware: 1,
  store: 2,
  inference: 2,
  site: 3,
  models: 3,
  vision: 3,
  ai: 4,
  kinds: 5,
  engine: 6,
  connect: 7,
  web: 8,
  cli: 9,
}

/**
 * What runs in the child has a door of its own: the engine's process must not load it. So has what only one command
 * has need of.
 */
const doors = /^((worker|answer|llama|eval)\/)?index\.ts$/

export function* filesOf(dir: string): Generator<string> {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) yield* filesOf(path)
    else if (/\.tsx?$/.test(entry.name)) yield path
  }
}

export function importsOf(source: string): string[] {
  const found = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)
  return [...found].map(match => match[1] ?? '')
}

/** Why an import breaks the floors, or null. Paths are relative to `src`. */
export function breach(from: string, to: string): string | null {
  const [fromRoom = '', toRoom = ''] = [from, to].map(path => path.split('/')[0])
  if (fromRoom === toRoom) return null
  const fromFloor = floors[fromRoom] ?? 9
  const toFloor = floors[toRoom] ?? 9
  const inner = to.slice(toRoom.length + 1)
  if (fromFloor === 9 && toFloor === 9) return null
  if (fromFloor === 1 && toFloor === 0 && fromRoom === 'core')
    return `${from} imports ${to}: core stands alone`
  if (toRoom === 'core' && fromFloor >= 1)
    return doors.test(inner) ? null : `${from} enters core beside its door`
  if (toFloor >= fromFloor) return `${from} imports ${to}: upward or sideways`
  if (!doors.test(inner)) return `${from} imports ${to}: not by the door`
  return null
}

describe('the floors of the house', () => {
  it('has no import upward, sideways or beside a door', () => {
    const breaches: string[] = []
    for (const file of filesOf(src)) {
      const from = relative(src, file)
      for (const target of importsOf(readFileSync(file, 'utf8'))) {
        const to = relative(src, resolve(file, '..', target))
        if (to.startsWith('..')) continue
        const why = breach(from, to)
        if (why) breaches.push(why)
      }
    }
    expect(breaches).toEqual([])
  })

  it('would see an import upward', () => {
    expect(breach('store/runs.ts', 'engine/index.ts')).toContain('upward')
    expect(breach('vision/index.ts', 'site/index.ts')).toContain('sideways')
    expect(breach('engine/run.ts', 'store/runs.ts')).toContain('door')
    expect(breach('core/bus.ts', 'contract/index.ts')).toContain('alone')
    expect(breach('engine/run.ts', 'store/index.ts')).toBeNull()
    expect(importsOf(`import { a } from '../x.ts'\nconst b = await import("./y.ts")`)).toEqual([
      '../x.ts',
      './y.ts',
    ])
  })

  it('has no cycle between files', () => {
    const graph = new Map<string, string[]>()
    for (const file of filesOf(src)) {
      const source = readFileSync(file, 'utf8').replace(/^(?:import|export) type [^;\n]*?from.*$/gm, '')
      graph.set(
        file,
        importsOf(source).map(target => resolve(file, '..', target)),
      )
    }
    expect(cycle(graph)).toBeNull()
  })

  it('has files of one idea: none over 400 lines', () => {
    const long = [...filesOf(src)].filter(file => readFileSync(file, 'utf8').split('\n').length > 401)
    expect(long.map(file => relative(src, file))).toEqual([])
    expect(statSync(src).isDirectory()).toBe(true)
  })
})

/** A cycle of the graph as its files, or null. */
function cycle(graph: Map<string, string[]>): string[] | null {
  const done = new Set<string>()
  const visit = (file: string, trail: string[]): string[] | null => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file]
    if (done.has(file)) return null
    for (const next of graph.get(file) ?? []) {
      const found = visit(next, [...trail, file])
      if (found) return found
    }
    done.add(file)
    return null
  }
  for (const file of graph.keys()) {
    const found = visit(file, [])
    if (found) return found.map(path => relative(src, path))
  }
  return null
}
