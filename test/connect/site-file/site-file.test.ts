import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { SiteFile, siteToStart } from '../../../src/connect/index.ts'
import { GatehouseError, ManualClock, noLog } from '../../../src/core/index.ts'
import type { Site } from '../../../src/site/index.ts'
import { temporaryFolder } from '../../store/helpers.ts'

const FIRST = 'cameras: { gate: { roles: [gate] } }\n'
const SECOND = 'cameras: { gate: { roles: [gate] }, yard: { roles: [yard] } }\n'

let file: string
/** Tells how often somebody asked to be woken: each look that is over asks for the next one. */
class Clock extends ManualClock {
  asked = 0

  override after(ms: number, callback: () => void): () => void {
    this.asked++
    return super.after(ms, callback)
  }
}

let clock: Clock
let sites: Site[]
let problems: (string | null)[]
let watched: SiteFile
beforeEach(() => {
  file = join(temporaryFolder(), 'site.yaml')
  clock = new Clock()
  ;[sites, problems] = [[], []]
  writeFileSync(file, FIRST)
})
afterEach(() => watched.stop())

function start(
  text = FIRST,
  onSite = async (site: Site) => {
    sites.push(site)
  },
): void {
  watched = new SiteFile({
    file,
    text,
    clock,
    log: noLog,
    onSite,
    onProblem: async problem => {
      problems.push(problem)
    },
  })
  watched.start()
}

/** As many looks as a change takes, and one more. */
async function looks(n = 3): Promise<void> {
  for (let i = 0; i < n; i++) {
    const { asked } = clock
    clock.advance(1_000)
    await expect.poll(() => clock.asked, { interval: 2 }).toBeGreaterThan(asked)
  }
}
const cameras = () => sites.map(site => site.cameras.length)

test('what stands there is in force already; what is changed and right is taken over, once', async () => {
  start()
  await looks()
  expect(sites).toEqual([])
  writeFileSync(file, SECOND)
  await looks(5)
  expect(cameras()).toEqual([2])
  expect(problems).toEqual([])
})

test('a right file that the box could not take over is tried again until it can', async () => {
  let full = true
  start(FIRST, async site => {
    if (full) throw new GatehouseError('disk_full', 'The disk is full.', { status: 507 })
    sites.push(site)
  })
  writeFileSync(file, SECOND)
  await looks()
  expect([cameras(), problems]).toEqual([[], ['The disk is full.']])
  full = false
  await looks()
  expect([cameras(), problems, watched.problem]).toEqual([[2], ['The disk is full.', null], null])
})

test('a file that replaces it counts as well', async () => {
  start()
  await looks()
  writeFileSync(`${file}.new`, SECOND)
  renameSync(`${file}.new`, file)
  await looks()
  expect(cameras()).toEqual([2])
})

test('one that is wrong is refused with its place, told once, and the old one stays until it is right', async () => {
  start()
  await looks()
  writeFileSync(file, 'cameras: { gate: { roles: [gate] } }\nlsts: {}\n')
  await looks(4)
  expect(sites).toEqual([])
  expect(problems).toEqual([expect.stringMatching(/site\.yaml:2:1 .*lsts/)])
  expect(watched.problem).toBe(problems[0])
  writeFileSync(file, SECOND)
  await looks()
  expect(cameras()).toEqual([2])
  expect(problems.at(-1)).toBeNull()
  expect(watched.problem).toBeNull()
})

test('taken back to what is in force, it is right again without being taken over', async () => {
  start()
  await looks()
  writeFileSync(file, 'cameras: [')
  await looks()
  writeFileSync(file, FIRST)
  await looks()
  expect(sites).toEqual([])
  expect(problems).toEqual([expect.any(String), null])
})

test('a file that is gone changes nothing and says so; one that never was is no problem', async () => {
  start()
  await looks()
  rmSync(file)
  await looks()
  expect(sites).toEqual([])
  expect(problems).toEqual([expect.stringContaining('is gone')])
  await watched.stop()
  problems = []
  start('')
  onTestFinished(() => watched.stop())
  await looks()
  expect(problems).toEqual([])
  writeFileSync(file, SECOND)
  await looks()
  expect(cameras()).toEqual([2])
})

test('half a file is not judged while it grows', async () => {
  start()
  await looks()
  for (let end = 5; end < SECOND.length; end += 9) {
    writeFileSync(file, SECOND.slice(0, end))
    await looks(1)
  }
  writeFileSync(file, SECOND)
  await looks()
  expect(problems).toEqual([])
  expect(cameras()).toEqual([2])
})

test('an emptied file is no site with nothing: it changes nothing and says so', async () => {
  start()
  writeFileSync(file, '\n')
  await looks()
  expect([sites, problems.length]).toEqual([[], 1])
  expect(problems[0]).toContain('is empty')
  writeFileSync(file, 'cameras: {}\n')
  await looks(5)
  expect(cameras()).toEqual([0])
})

test('a box whose file was broken, emptied or lost starts with what was in force, and takes a right one', async () => {
  start()
  await looks()
  writeFileSync(file, SECOND)
  await looks(5)
  await watched.stop()
  for (const text of ['cameras: [', 'people: { ann: { rolls: [x] } }', ' \n', '']) {
    const found = await siteToStart(file, text)
    expect([found.site.cameras.length, found.text, found.problem === null]).toEqual([2, SECOND, false])
  }
  expect(await siteToStart(file, FIRST)).toMatchObject({ text: FIRST, problem: null })
  const fresh = join(temporaryFolder(), 'site.yaml')
  await expect(siteToStart(fresh, 'cameras: [')).rejects.toThrow('site.yaml:1:')
  expect(await siteToStart(fresh, '')).toMatchObject({ text: '', problem: null })
})
