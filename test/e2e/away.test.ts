/** A box that is killed under an open page: the page says so, keeps what was written, and goes on when it is there again. */
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folder, serve } from '../cli/gatehouse.ts'
import { hasBrowser, judged, openBrowser } from './browser.ts'

const SITE = 'cameras:\n  gate: { roles: [gate] }\n'
const WORKFLOW = `contract: workflow.v1
name: Bell
state: on
limits: { cooldown: 500ms }
when: { event: { schema: picture.arrived.v1, cameras: [gate] } }
then:
  - alert: { severity: low, title: "It rang" }
`

const data = folder()
let port: number
let box: Awaited<ReturnType<typeof serve>>
let browser: Browser
let page: Page
const up = () => serve(['--data', data, '--port', String(port)])
const url = (path: string) => `http://localhost:${port}${path}`
const send = (path: string, body: object) =>
  fetch(url(`/api/v1${path}`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe.skipIf(!hasBrowser)('a box that is killed under an open page', () => {
  beforeAll(async () => {
    port = await new Promise<number>(found => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => found(typeof address === 'object' ? (address?.port ?? 0) : 0))
      })
    })
    writeFileSync(join(data, 'site.yaml'), SITE)
    box = await up()
    expect((await send('/workflows', { yaml: WORKFLOW })).status).toBe(201)
    browser = await openBrowser()
    page = await browser.newPage({ reducedMotion: 'reduce', locale: 'en-GB' })
    page.setDefaultTimeout(20_000)
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await box?.stop('SIGKILL')
    rmSync(data, { recursive: true, force: true })
  })

  const banner = () => page.getByText('The box cannot be reached.')
  const text = () => page.getByRole('textbox', { name: 'The file, as YAML' })

  it('is missed by a banner, loses nothing that was written, and is followed again by itself', async () => {
    await page.goto(url('/workflows/1/edit?view=text'))
    await text().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('# written before')
    await box.stop('SIGKILL')

    await banner().waitFor()
    const since = page.locator('.away .since')
    expect(await since.textContent()).toMatch(/^Since [\d:]+, \d+ s by now\.$/)
    const first = await since.textContent()
    await expect.poll(() => since.textContent()).not.toBe(first)
    expect(await judged(page, 'away')).toEqual([])

    // What is written while it is away, and what is to be saved, stays.
    await text().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' and after')
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByText('The box does not answer.').waitFor()
    expect(await text().textContent()).toContain('# written before and after')

    box = await up()
    // It may have found out by itself; that it is there again is said for a few seconds only.
    const again = page.getByText(/The box is there again, after/).waitFor()
    await page
      .getByRole('button', { name: 'Try now' })
      .click({ timeout: 2_000 })
      .catch(() => undefined)
    await again
    await banner().waitFor({ state: 'detached' })
    expect(await text().textContent()).toContain('# written before and after')
    // Also over a page that is loaded anew.
    await page.reload()
    await expect.poll(() => text().textContent()).toContain('# written before and after')
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await page.getByText(/Saved/).first().waitFor()
    expect(await (await fetch(url('/api/v1/workflows/1'))).text()).toContain('written before and after')
  })

  it('keeps what is being written of the site, and of a workflow that is not there yet', async () => {
    await page.goto(url('/site/rules'))
    const facts = page.getByRole('textbox', { name: /What every AI step|Facts/ }).first()
    await facts.fill('The gate opens inward.')
    await page.getByText('Live', { exact: true }).waitFor()
    // Ended in order: a box that is killed three times in a row stays in safe mode.
    await box.stop()
    await banner().waitFor()
    box = await up()
    await banner().waitFor({ state: 'detached' })
    expect(await facts.inputValue()).toBe('The gate opens inward.')

    await page.goto(url('/workflows/new'))
    await page.getByRole('button', { name: /Yard watch/ }).click()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await text().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('# mine')
    await page.reload()
    await page.getByRole('button', { name: 'Go on with what you had not saved' }).click()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await expect.poll(() => text().textContent()).toContain('# mine')
  })

  it('shows what happened while nobody could see it', async () => {
    await page.goto(url('/runs'))
    await page.getByText('Live', { exact: true }).waitFor()
    await box.stop('SIGKILL')
    await banner().waitFor()
    box = await up()
    const event = { schema: 'picture.arrived.v1', camera_id: 'gate', payload: {} }
    await expect.poll(async () => (await send('/events', event)).status).toBe(202)
    await page.getByRole('link', { name: /Bell/ }).first().waitFor()
    await banner().waitFor({ state: 'detached' })
  })
})
