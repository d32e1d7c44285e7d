/** Every main screen of a real box: judged in both themes and widths, still while it loads, reached by keys. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, judged } from './browser.ts'
import { type RealBox, startReal } from './real-box.ts'

const PICTURE = readFileSync(resolve(import.meta.dirname, '../../templates/cases/pictures/person.jpg'))
const WATCH = `contract: workflow.v1
name: Door watch
state: test
when: { webhook: {} }
then:
  - ai:
      mode: look
      prompt: Is somebody there?
      input: picture
      fields: { people: { measure: count, of: person } }
      decision: [somebody, nobody]
      rules: [{ when: { people: { at_least: 1 } }, then: somebody }, { then: nobody }]
      somebody: [alert: { severity: low, title: Somebody is there }]
      nobody: []
      unsure: []
`
const SCREENS = [
  ...['/', '/runs', '/runs/1', '/workflows/1', '/workflows/1/edit', '/workflows/new', '/box', '/access'],
  ...['cameras', 'cameras/north', 'cameras/~new', 'people', 'lists', 'rules', 'destinations', 'privacy'].map(
    part => `/site/${part}`,
  ),
]

let real: RealBox
let page: Page

/** Controls that the Tab key does not come to, as they are written. Of a group of radio buttons one is enough. */
async function unreached(): Promise<string[]> {
  await page.evaluate(() => {
    const wanted = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary'
    const all = [...document.querySelectorAll<HTMLElement>(wanted)].filter(
      it => it.checkVisibility({ visibilityProperty: true }) && it.getAttribute('type') !== 'radio',
    )
    const missed = new Set(all)
    Object.assign(window, { missed })
    document.addEventListener('focusin', ({ target }) => missed.delete(target as HTMLElement))
    ;(document.activeElement as HTMLElement | null)?.blur()
  })
  const left = () => page.evaluate(() => (window as unknown as { missed: Set<Element> }).missed.size)
  for (let n = 0; n < 160 && (await left()); n++) await page.keyboard.press('Tab')
  return page.evaluate(() =>
    [...(window as unknown as { missed: Set<Element> }).missed]
      .filter(it => it.isConnected)
      .map(it => it.outerHTML.slice(0, 160)),
  )
}

describe.skipIf(!hasBrowser)('every main screen', () => {
  beforeAll(async () => {
    real = await startReal()
    page = real.page
    const saved = await real.box.engine.save(WATCH)
    if (!saved.ok) throw new Error('the file holds')
    const form = new FormData()
    form.set('picture', new File([new Uint8Array(PICTURE)], 'person.jpg'))
    form.set('event', JSON.stringify({ camera: 'north' }))
    await fetch(real.url + saved.workflow.hook, { method: 'POST', body: form })
    await real.box.engine.settled(1, 30_000)
    await page.addInitScript(() => {
      let shift = 0
      new PerformanceObserver(list => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
          shift += entry.value
        Object.assign(window, { shift })
      }).observe({ type: 'layout-shift', buffered: true })
    })
  }, 60_000)
  afterAll(() => real?.stop())

  it.each(SCREENS)('%s is well', async path => {
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(real.url.replace(/\/$/, '') + path)
    await page.locator('main h1, main h2').first().waitFor()
    await page.waitForLoadState('networkidle').catch(() => undefined)
    const shift = await page.evaluate(() => (window as unknown as { shift?: number }).shift ?? 0)
    expect.soft(shift, 'it jumps while it loads').toBeLessThanOrEqual(0.05)
    expect.soft(await unreached()).toEqual([])
    expect(await judged(page, `screen${path.replaceAll(/[/~]+/g, '-')}`)).toEqual([])
  })

  it('says the times of the site, wherever the browser is', async () => {
    const zone = real.box.rules.site.timeZone
    const far = zone === 'Asia/Tokyo' ? 'America/New_York' : 'Asia/Tokyo'
    const context = await real.browser.newContext({ timezoneId: far, locale: 'en-GB' })
    const there = await context.newPage()
    await there.goto(`${real.url}/runs`)
    const time = there.locator('.runs time').first()
    const at = new Date((await time.getAttribute('datetime')) ?? '')
    const clock = at.toLocaleTimeString('en-GB', { timeZone: zone })
    expect(clock).not.toBe(at.toLocaleTimeString('en-GB', { timeZone: far }))
    expect(await time.textContent()).toContain(clock)
    await context.close()
  })

  it('the way in is well for whoever is signed out', async () => {
    const claim = { code: real.box.access.code, name: 'Ada', password: 'a long way up' }
    const answer = await fetch(new URL('/api/v1/session/claim', real.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(claim),
    })
    expect(answer.ok).toBe(true)
    await page.goto(real.url)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect.soft(await unreached()).toEqual([])
    expect(await judged(page, 'screen-login')).toEqual([])
  })
})
