import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '../../src/core/index.ts'
import { Site, SiteMode } from '../../src/site/index.ts'
import { Store } from '../../src/store/index.ts'

test('the mode is one of the site, outlives a restart, and falls back when the site drops it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-test-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const open = () => {
    const store = new Store({ dir, clock: new ManualClock() })
    store.start()
    return store
  }
  let site = Site.load('modes: [day, night]', 'site.yaml')
  let store = open()
  const first = new SiteMode(store, () => site)
  expect(first.get()).toBe('day')
  await first.set('night')
  await expect(first.set('constructor')).rejects.toMatchObject({
    code: 'mode_unknown',
    message: 'constructor is not a mode of this site: use one of day, night.',
  })
  store.stop()
  store = open()
  const second = new SiteMode(store, () => site)
  expect(second.get()).toBe('night')
  site = Site.load('modes: [home, away]', 'site.yaml')
  expect(second.get()).toBe('home')
  store.stop()
})
