import { mkdirSync } from 'node:fs'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/index.ts'
import { type Box, startBox, stepView, workflowView } from '../web/box.ts'
import { faintTexts, hasBrowser, openBrowser, violations } from './browser.ts'

const SHOTS = process.env.SHOTS

let box: Box
let browser: Browser
const contexts: BrowserContext[] = []

async function openIn(locale: string): Promise<Page> {
  const context = await browser.newContext({ locale, reducedMotion: 'reduce' })
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  return page
}

describe.skipIf(!hasBrowser)('the page in the language of the browser', () => {
  beforeAll(async () => {
    box = await startBox(0, systemClock)
    browser = await openBrowser()
    const accuracy = [
      { path: 'then[0]', name: 'look', marks: 20, right: 19, share: 0.95, low: 0.764, high: 0.991 },
    ]
    const gate = workflowView(1, { name: 'Gate concierge', wants_picture: true, accuracy })
    const yard = workflowView(2, {
      name: 'Yard',
      trigger: 'button',
      hook: null,
      needs_attention: 'The camera yard is gone: connect it.',
    })
    box.engine.all.set(1, gate).set(2, yard)
    const judged = stepView(0, {
      kind: 'ai',
      outcome: 'unsure',
      unsure_reason: 'below_floor',
      confidence: 0.5,
      confidence_source: 'measured',
      ms: 2400,
    })
    const told = stepView(1, { kind: 'alert', status: 'would_have', inputs: { title: 'Van' } })
    box.engine.add(gate, { summary: { decision: 'unsure' }, view: { steps: [judged, told] } })
    box.engine.tell({ title: 'Van at the gate' })
    box.engine.ask({
      asked_at: new Date().toISOString(),
      deadline: new Date(Date.now() + 60_000).toISOString(),
    })
  }, 60_000)
  afterAll(async () => {
    for (const context of contexts) await context.close()
    await browser?.close()
    await box?.stop()
  })

  it('speaks German where the browser asks for it, English where it asks for neither', async () => {
    const german = await openIn('de-AT')
    await german.goto(`http://localhost:${box.port}/`)
    await german.getByRole('heading', { name: 'Abläufe' }).waitFor()
    await german.getByText('Braucht Aufmerksamkeit').waitFor()
    await german.getByText(/^noch \d+ s$/).waitFor()
    expect(await german.locator('html').getAttribute('lang')).toBe('de')
    await german.goto(`http://localhost:${box.port}/runs/1`)
    await german.getByText('50 % sicher, im Bild gemessen').waitFor()
    await german.getByText('Hätte: Alarm auslösen').waitFor()
    expect(await german.locator('.took').first().textContent()).toBe('2,4 s')
    const french = await openIn('fr-FR')
    await french.goto(`http://localhost:${box.port}/`)
    await french.getByRole('heading', { name: 'Workflows' }).waitFor()
    expect(await french.locator('html').getAttribute('lang')).toBe('en')
  })

  it('breaks no rule of axe-core and fits, in both languages, by day and by night', async () => {
    if (SHOTS) mkdirSync(SHOTS, { recursive: true })
    const found: unknown[] = []
    for (const locale of ['en-GB', 'de-DE']) {
      const page = await openIn(locale)
      for (const path of [
        '/',
        '/runs',
        '/runs/1',
        '/workflows/1',
        '/workflows/new',
        '/site',
        '/box',
        '/access',
      ])
        for (const width of [360, 1280])
          for (const colorScheme of ['light', 'dark'] as const) {
            const at = [locale, path, width, colorScheme]
            await page.setViewportSize({ width, height: 800 })
            await page.emulateMedia({ colorScheme })
            await page.goto(`http://localhost:${box.port}${path}`)
            await page.locator('h2, .filters, .site-sections').first().waitFor()
            await page.evaluate(() => {
              for (const section of document.querySelectorAll('details')) section.open = true
            })
            const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
            const wrong = [...(await page.evaluate(faintTexts)), ...(await violations(page))]
            if (!(wide <= 0) || wrong.length) found.push([...at, wide, ...wrong])
            const name = at.join('-').replaceAll('/', '_')
            if (SHOTS) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true })
          }
    }
    expect(found).toEqual([])
  }, 240_000)
})
