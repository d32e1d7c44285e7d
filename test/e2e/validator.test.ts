/** The validator as whoever has a file opens it: from a disk, in a browser that reaches nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildValidator } from '../../src/web/build-validator.ts'
import { hasBrowser, judged, openBrowser } from './browser.ts'

const BROKEN = `contract: workflow.v1
name: Gate
when: { button: {} }
then:
  - ai:
      mode: look
      prompt: Is it a van?
      input: picture
      decision: [van, other]
      van:
        - webhook: { to: gate }
      other: []
      unsure: []
needs: { destinations: { gate: move } }
`

let dir: string
let browser: Browser
let at: string

describe.skipIf(!hasBrowser)('the validator', () => {
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gatehouse-validator-'))
    writeFileSync(join(dir, 'index.html'), await buildValidator())
    writeFileSync(join(dir, 'gate.yaml'), BROKEN)
    writeFileSync(join(dir, 'large.yaml'), 'x'.repeat(70_000))
    writeFileSync(join(dir, 'bytes.yaml'), Buffer.from([0xff, 0xfe, 0x00]))
    at = pathToFileURL(join(dir, 'index.html')).href
    browser = await openBrowser()
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(dir, { recursive: true, force: true })
  })

  async function open(locale: string): Promise<{ page: Page; said: string[]; context: BrowserContext }> {
    const context = await browser.newContext({ locale, reducedMotion: 'reduce', offline: true })
    const page = await context.newPage()
    page.setDefaultTimeout(15_000)
    const said: string[] = []
    page.on('console', message => said.push(message.text()))
    page.on('pageerror', error => said.push(error.message))
    page.on('request', request => {
      if (request.url() !== at && !request.url().startsWith('data:')) said.push(`asked for ${request.url()}`)
    })
    await page.goto(at)
    return { page, said, context }
  }

  it('says what is wrong with a file, mends it by a click, and draws it', async () => {
    const { page, said, context } = await open('en-GB')
    await page.getByRole('heading', { name: 'Workflow validator' }).waitFor()
    await page.getByLabel('Choose a file').setInputFiles(join(dir, 'gate.yaml'))
    await page.getByText('gate.yaml was taken.').waitFor()
    await page.getByText(/It does not hold: (one error|\d+ errors)\./).waitFor()
    await page.getByText('Once its errors are mended').waitFor()
    // The way to its place, and the change that mends it.
    await page
      .getByRole('button', { name: /^Line \d+$/ })
      .first()
      .click()
    await page.locator('.cm-editor.cm-focused').waitFor()
    for (let left = 5; left > 0 && (await page.locator('.verdict.bad').count()); left--)
      await page.locator('.problems li.error button:not(.place)').first().click()
    await page.locator('.verdict.good').waitFor()
    const does = page.locator('.does')
    expect(await does.textContent()).toContain('gate')
    await page.locator('.flow-card').first().waitFor()
    expect(await judged(page, 'validator')).toEqual([])
    expect(said).toEqual([])
    await context.close()
  })

  it('takes what is typed and dropped, says why it does not take a file, and is German for Germans', async () => {
    const { page, said, context } = await open('de-DE')
    await page.getByRole('heading', { name: 'Prüfer für Abläufe' }).waitFor()
    for (const [file, why] of [
      ['large.yaml', /größer als 64 kB/],
      ['bytes.yaml', /kein Text in UTF-8/],
    ] as const) {
      await page.getByLabel('Datei auswählen').setInputFiles(join(dir, file))
      await page.getByText(why).waitFor()
    }
    await page.getByRole('textbox').click()
    await page.keyboard.type('contract: workflow.v1')
    await page.getByText(/Sie gilt nicht:/).waitFor()
    await page.evaluate(yaml => {
      const data = new DataTransfer()
      data.items.add(new File([yaml], 'mine.yaml'))
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }),
      )
    }, BROKEN)
    await page.getByText('mine.yaml wurde übernommen.').waitFor()
    await page
      .getByText(/^webhook bewegt hier etwas, nach KI/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Beispiel zeigen' }).click()
    await page.locator('.verdict.good').waitFor()
    // By keys alone.
    await page.getByRole('button', { name: 'Datei kopieren' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/Kopiert|nicht zu/).waitFor()
    expect(await judged(page, 'validator-de')).toEqual([])
    expect(said).toEqual([])
    await context.close()
  })
})
