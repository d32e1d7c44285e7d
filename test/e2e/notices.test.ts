import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatehouseError, systemClock } from '../../src/core/index.ts'
import { type Box, NOW, startBox, stepView, workflowView } from '../web/box.ts'
import { faintTexts, hasBrowser, openBrowser } from './browser.ts'

const EVIL = '<img src=x onerror="document.title=\'broken in\'">'
/** Where pictures of the page are wanted to look at. */
const SHOTS = process.env.GATEHOUSE_SHOTS

let box: Box
let browser: Browser
let page: Page
const complaints: string[] = []

async function open(path = '/', width = 1280, colorScheme: 'light' | 'dark' = 'light') {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.goto(`http://localhost:${box.port}${path}`)
}

const poll = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 })

/** What moved on the page though nobody had touched it, until 500 ms from now. */
const shifts = (): Promise<string[]> =>
  page.evaluate(
    () =>
      new Promise<string[]>(resolve => {
        const moved: string[] = []
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) {
            const shift = entry as PerformanceEntry & {
              value: number
              hadRecentInput: boolean
              sources: { node: Element | null }[]
            }
            if (!shift.hadRecentInput && shift.value >= 0.01)
              moved.push(`${shift.sources[0]?.node?.className}: ${shift.value}`)
          }
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve(moved), 500)
      }),
  )

describe.skipIf(!hasBrowser)('what the box told', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  beforeEach(async () => {
    box = await startBox(0, systemClock)
    page = await browser.newPage()
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    box.engine.all.set(1, workflowView(1, { name: 'Gate', state: 'on' }))
    const create = { width: 64, height: 48, channels: 3, background: '#7a8' } as const
    box.pictures.set(1, { bytes: await sharp({ create }).png().toBuffer(), type: 'image/png' })
  })
  afterEach(async () => {
    expect(complaints.splice(0)).toEqual([])
    await page.close()
    await box.stop()
  })
  afterAll(() => browser?.close())

  const rest = { run: 1, step: 1, workflow: { id: 1, slug: 'gate', name: 'Gate', version: 1 } }

  /** A run with moves of which nobody knows, and what was told of them. */
  function unknownRun() {
    const steps = [1, 2].map(seq =>
      stepView(seq, { kind: 'webhook', status: 'unknown', inputs: { to: 'barrier' } }),
    )
    const run = box.engine.add(workflowView(1, { name: 'Gate' }), {
      summary: { status: 'unknown' },
      view: { status: 'unknown', steps: [stepView(0), ...steps] },
    })
    for (const step of [1, 2])
      box.engine.tell({
        ...rest,
        ...{ run: run.id, step, severity: 'high', unsettled: true },
        title: `Gate: look whether “webhook” ${step} happened`,
        body: 'The box stopped while this was being done.',
      })
    return run
  }

  it('stands on the page: how grave, what, for whom, when, with its picture, and leads to the run', async () => {
    box.engine.add(workflowView(1))
    box.engine.tell({ ...rest, severity: 'critical', title: `Van ${EVIL}`, body: 'At the gate.', media: 1 })
    box.engine.tell({
      ...rest,
      ...{
        kind: 'notify',
        severity: 'low',
        title: 'A parcel',
        audience: 'role:guard, person:ann',
        camera_id: 'gate',
      },
    })
    await open()
    await page.locator('.told > li').nth(1).waitFor()
    const lines = await page.locator('.told > li').allTextContents()
    expect(lines.map(text => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      expect.stringMatching(/^LowNewA parcel(30 Nov, )?13:00:00Notification for guard, anngateGate$/),
      expect.stringMatching(/^CriticalNewVan <img.*>At the gate\.(30 Nov, )?13:00:00AlertGate$/),
    ])
    const thumb = page.locator('.told img')
    await poll(() => thumb.evaluate(it => (it as HTMLImageElement).naturalWidth)).toBe(64)
    // What was shown once is not new any more.
    await page.reload()
    await page.getByText('A parcel').waitFor()
    expect(await page.getByText('New', { exact: true }).count()).toBe(0)
    box.engine.tell({ ...rest, title: 'Just now' })
    await page.locator('.told > li:first-child').getByText('Just now').waitFor()
    await page.locator('.told > li:first-child').getByText('New', { exact: true }).waitFor()
    box.engine.tell({ ...rest, title: 'Gate stands still', over: true })
    const over = page.locator('.told > li:first-child')
    await over.getByText('Over', { exact: true }).waitFor()
    expect(await over.getByText('New', { exact: true }).count()).toBe(0)
    await page.getByText('A parcel').click()
    await page.waitForURL(/\/runs\/1$/)
  })

  it('asks of each move that nobody knows of whether it happened, before all else', async () => {
    const run = unknownRun()
    box.engine.tell({ ...rest, title: 'Later' })
    const said: unknown[] = []
    box.engine.settle = async (id, happened, _by, step) => {
      said.push([id, happened, step])
      const view = box.engine.run(id)
      if (!view) throw new Error('no run')
      const steps = view.steps.map(it =>
        it.seq === step ? { ...it, status: happened ? ('done' as const) : ('failed' as const) } : it,
      )
      box.engine.runViews.set(id, { ...view, steps })
      if (step === 2) throw new GatehouseError('nothing_unknown', 'Bob was faster.', { status: 409 })
      return { ...view, steps }
    }
    await open()
    await page.getByText('2 to settle').waitFor()
    const first = page.getByRole('article', { name: /“webhook” 1 happened/ })
    await first.getByRole('button', { name: 'It happened' }).click()
    await page.getByText('1 to settle').waitFor()
    expect(said).toEqual([[run.id, true, 1]])
    expect(await first.count()).toBe(0)
    // Somebody was faster: what the box knows by now is shown.
    await page.getByRole('article').getByRole('button', { name: 'It did not' }).click()
    await poll(() => page.getByText('to settle').count()).toBe(0)
    await poll(() => page.locator('.told > li').count()).toBe(3)
    await poll(() => complaints.splice(0)).toEqual([expect.stringContaining('409')])
  })

  it('hears of what was settled elsewhere', async () => {
    const run = unknownRun()
    await open()
    await page.getByText('2 to settle').waitFor()
    const steps = run.steps.map(step => ({ ...step, status: 'done' as const }))
    box.engine.runViews.set(run.id, { ...run, steps })
    const summary = box.engine.summaries.get(run.id)
    if (summary) box.bus.publish('run', { ...summary, status: 'done' })
    await poll(() => page.getByText('to settle').count()).toBe(0)
  })

  it('is read further back page by page', async () => {
    for (let i = 1; i <= 90; i++) box.engine.tell({ ...rest, title: `Told ${i}` })
    await open()
    const lines = page.locator('.told > li')
    await poll(() => lines.count()).toBe(4)
    const more = page.getByRole('button', { name: 'Show more of what was told' })
    for (const count of [24, 44, 64, 84, 90]) {
      await more.click()
      await poll(() => lines.count()).toBe(count)
    }
    await poll(() => more.count()).toBe(0)
    await lines.last().getByText('Told 1', { exact: true }).waitFor()
  })

  it('fits a phone and a desk, by day and by night', async () => {
    unknownRun()
    for (const severity of ['low', 'medium', 'high', 'critical'])
      box.engine.tell({
        ...{ ...rest, severity, media: severity === 'high' ? 1 : null, camera_id: 'gate' },
        title: `Van without a plate, for ${'averylongwordwithoutend'.repeat(severity === 'low' ? 4 : 1)}`,
        body:
          severity === 'medium'
            ? 'It stands at the gate since ten minutes and nobody has come out of it. '.repeat(4)
            : '',
      })
    for (const width of [360, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await open('/', width, colorScheme)
        await page.getByText('2 to settle').waitFor()
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect([width, colorScheme, wide <= 0]).toEqual([width, colorScheme, true])
        expect([width, colorScheme, await page.evaluate(faintTexts)]).toEqual([width, colorScheme, []])
        if (SHOTS) await page.screenshot({ path: `${SHOTS}/${width}-${colorScheme}.png`, fullPage: true })
      }
  })

  it('does not make a page with 200 runs jump', async () => {
    const workflow = workflowView(1, { name: 'Gate' })
    for (let i = 0; i < 200; i++)
      box.engine.add(workflow, {
        summary: { decision: 'delivery', picture: 1, started_at: new Date(NOW - i * 1000).toISOString() },
      })
    for (let i = 0; i < 30; i++) box.engine.tell({ ...rest, title: `Told ${i}`, media: 1 })
    for (const width of [360, 1280]) {
      await open('/', width)
      const lines = page.locator('.runs > li')
      await poll(() => lines.count()).toBe(50)
      expect([width, await shifts()]).toEqual([width, []])
      for (const count of [100, 150, 200]) {
        await page.getByRole('button', { name: 'Show older runs' }).click()
        await poll(() => lines.count()).toBe(count)
      }
      await lines.nth(120).scrollIntoViewIfNeeded()
      await page.waitForTimeout(600)
      const read = page.locator('.runs > li:nth-child(121) a')
      const href = await read.getAttribute('href')
      const y = async () => (await page.locator(`.runs a[href="${href}"]`).boundingBox())?.y ?? 0
      const before = await y()
      // The reader is far down while things go on at the top.
      for (let i = 0; i < 5; i++) {
        box.engine.add(workflow, { summary: { decision: 'cab', picture: 1 } })
        box.engine.tell({ ...rest, title: `Meanwhile ${i}` })
      }
      await poll(() => lines.count()).toBe(205)
      expect(Math.abs((await y()) - before)).toBeLessThan(2)
    }
  })
})
