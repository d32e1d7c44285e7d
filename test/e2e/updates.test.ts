import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Status } from '../../src/box/update/status.ts'
import { systemClock } from '../../src/core/index.ts'
import { type Box, startBox } from '../web/box.ts'
import { hasBrowser, judged, openBrowser } from './browser.ts'

let box: Box
let browser: Browser
let page: Page
const complaints: string[] = []

/** The updater, which is another program, says how it is. */
const says = (status: Partial<Status>) =>
  writeFileSync(join(box.deps.dataDir, 'status.json'), JSON.stringify(status))
const available = { version: '9.9.9', notes: 'Sees in the dark.' }

describe.skipIf(!hasBrowser)('the Box screen', () => {
  beforeAll(async () => {
    box = await startBox(0, systemClock)
    says({ checked_at: '2026-11-30T03:30:00.000Z' })
    browser = await openBrowser()
    page = await browser.newPage()
    page.setDefaultTimeout(15_000)
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await box?.stop()
  })

  it('shows what is newer, asks before it begins, and follows the update to its end', async () => {
    await page.goto(`http://localhost:${box.port}/box`)
    const section = page.getByRole('region', { name: 'Updates' })
    await section.getByText('None, as of').waitFor()
    expect(await section.getByRole('button', { name: 'Install' }).count()).toBe(0)
    await section.getByRole('button', { name: 'Look for a newer one' }).click()
    await section.getByText('Looking for a newer one').waitFor()
    says({ checked_at: '2026-11-30T04:00:00.000Z', available })
    const install = section.getByRole('button', { name: 'Install 9.9.9' })
    await install.waitFor()
    await section.getByText('9.9.9: Sees in the dark.').waitFor()

    await install.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Install 9.9.9?' })
    await dialog.waitFor()
    expect(await judged(page, 'updates-asked')).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Install it' }).press('Enter')
    await section.getByText('It begins in a moment').waitFor()
    const asked = () => JSON.parse(readFileSync(join(box.deps.dataDir, 'update-request'), 'utf8'))
    await expect.poll(asked, { timeout: 15_000 }).toEqual({ do: 'install' })

    says({ available, underway: { to: '9.9.9-linux-x64', step: 'fetching', percent: 40 } })
    await section.getByText('9.9.9: is fetched and checked').waitFor()
    expect(await section.getByRole('progressbar').getAttribute('value')).toBe('40')
    expect(await install.isDisabled()).toBe(true)
    expect(await judged(page, 'updates-under-way')).toEqual([])
    const why = 'It ended 2 times before it was ready.'
    says({
      checked_at: '2026-11-30T04:00:00.000Z',
      last: {
        id: 'u1',
        outcome: 'rolled_back',
        from: '0.1.0-linux-x64',
        to: '9.9.9-linux-x64',
        at: '2026-11-30T04:10:00.000Z',
        why,
      },
    })
    await section.getByText('9.9.9 was taken back').waitFor()
    await section.getByText(why).waitFor()
    expect(complaints).toEqual([])
  }, 120_000)
})
