/** docs/first-hour.md, done heading by heading on an empty box, with a finger; then the same by keys alone. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folder, sample, serve } from '../cli/gatehouse.ts'
import { hasBrowser, judged, openBrowser } from './browser.ts'

const DOC = readFileSync(resolve(import.meta.dirname, '../../docs/first-hour.md'), 'utf8')
const HEADINGS = [...DOC.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title)
/** What the walk drops into the folder, as its text names it. */
const TEN = /^for name in (.*); do/m.exec(DOC)?.[1]?.split(' ') ?? []

let box: Awaited<ReturnType<typeof serve>>
let data: string
let browser: Browser
let page: Page
const complaints: string[] = []

const link = (name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const heading = (name: string) => page.getByRole('heading', { name, exact: true })
const textbox = (name: string | RegExp) =>
  page.getByRole('textbox', { name, exact: typeof name === 'string' })
const panel = () => page.locator('.panel')
const beside = () => page.getByRole('complementary', { name: 'Try on recent events' })
const runs = () => page.locator('.runs > li')
const fill = async (name: string | RegExp, text: string) => {
  await textbox(name).tap()
  await textbox(name).fill(text)
}
const arrives = (name: string, as = name) => {
  copyFileSync(sample(name), join(data, 'pictures-in/yard', as))
}
const shown = (text: string | RegExp) => page.getByText(text).first().waitFor()

/** What the walk does under each heading. */
const walk: Record<string, () => Promise<void>> = {
  'Start it': async () => {
    await box.until(/No camera is configured: add one at http:.*\/site\/cameras/)
    await page.goto(box.url)
    await link('Add a camera').waitFor()
    expect(await judged(page, 'first-steps')).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
  },
  'Give it a login': async () => {
    await link('Claim this box').tap()
    const [, code = ''] = await box.until(/claim code (\S+)/)
    await fill('Claim code', code)
    await fill('Your name', 'Anna')
    await page.getByLabel(/^Password/).fill('a good long password')
    await button('Claim it').tap()
    await heading('You: Anna').waitFor()
  },
  'Add a camera': async () => {
    await link('Overview').tap()
    await link('Add a camera').tap()
    await button('Add a camera').or(link('Add a camera')).tap()
    await fill('Name', 'Yard')
    await page.getByLabel('Where its pictures come from').selectOption({ label: 'A folder of pictures' })
    await fill('Folder', 'yard')
    await button('Try it').tap()
    await shown(/has no picture: put a JPEG/)
    arrives('yard-empty.jpg')
    await button('Try again').tap()
    await shown('It works.')
    await page.getByRole('img', { name: 'What the camera shows' }).waitFor()
    await button('Add it').tap()
    await page.getByRole('img', { name: 'What Yard shows now' }).waitFor()
  },
  'Say who is asked': async () => {
    await link('Overview').tap()
    await page.locator('.first-steps li.done').waitFor()
    await link('Say who is told and asked').tap()
    await page.locator('summary', { hasText: 'Add somebody' }).tap()
    await fill('Name', 'Anna')
    await fill(/^Roles/, 'guard')
    await button('Add').tap()
    await button('Save').tap()
    await shown(/^Saved as version/)
  },
  'Begin with a template': async () => {
    await link('Overview').tap()
    await expect.poll(() => page.locator('.first-steps li.done').count()).toBe(2)
    await link('Begin a workflow').tap()
    await button('Use Yard watch').tap()
    await shown('A new picture, from yard')
    await button(/^Yard watch/).tap()
    await panel().getByRole('spinbutton', { name: 'Pause after a run' }).fill('0')
    await panel().getByRole('button', { name: 'Done' }).tap()
    await shown('No problems.')
    await button('Save it').tap()
    await heading('Yard watch').waitFor()
    await page.getByRole('radio', { name: 'Test', checked: true }).waitFor()
  },
  'Give it ten pictures': async () => {
    for (const [i, name] of TEN.entries()) {
      arrives(`${name}.jpg`, `${i}.jpg`)
      await expect.poll(() => runs().count(), { timeout: 20_000 }).toBe(i + 1)
      await expect
        .poll(() => runs().first().textContent(), { timeout: 20_000 })
        .not.toMatch(/Running|Waiting/)
    }
    await expect.poll(() => page.locator('.runs').getByText('Person', { exact: true }).count()).toBe(1)
  },
  'Have it ask, and try that first': async () => {
    await link('Change what it does').tap()
    await page.locator('[data-lane="then[0].person"] .plus').last().tap()
    await page.getByRole('searchbox').fill('question')
    await page.locator('dialog.chooser button').filter({ hasText: 'Ask a person' }).tap()
    await panel().getByLabel('Question', { exact: true }).fill('Does somebody belong there?')
    await panel().getByRole('button', { name: 'Done' }).tap()
    await button('Try on recent events').tap()
    await beside().getByRole('button', { name: 'Try it' }).tap()
    await beside()
      .getByText(/^10 events tried/)
      .waitFor({ timeout: 30_000 })
    await beside().getByText('Would ask: Does somebody belong there?').waitFor()
    await button('Save as a new version').tap()
    await shown('Saved as version 2.')
    await link('See the workflow').tap()
    await heading('Yard watch').waitFor()
  },
  'Switch it On': async () => {
    await page.locator('.switch label.on').tap()
    const dialog = page.getByRole('dialog', { name: 'Switch Yard watch On?' })
    await dialog.getByText(/Does somebody belong there/).waitFor()
    await dialog.getByText(/^10 runs/).waitFor()
    await dialog.getByRole('button', { name: 'Switch On' }).tap()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: 'On', checked: true }).waitFor()
  },
  'Answer a question': async () => {
    await link('Overview').tap()
    arrives('person.jpg', 'tonight.jpg')
    const question = page.getByRole('article', { name: 'Does somebody belong there?' })
    await question.getByRole('img', { name: 'What the camera saw' }).waitFor({ timeout: 20_000 })
    expect(await judged(page, 'asked')).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
    await question.getByRole('button', { name: /^Yes/ }).tap()
    await page.getByText('Yes · Anna').tap()
  },
  'Look at what it did': async () => {
    await heading('Person').waitFor()
    await shown('Raise an alert')
    await shown('rule 1 of the workflow')
    await shown('Answered by Anna')
    expect(await judged(page, 'first-run')).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
  },
  'Say what was right, and correct what was not': async () => {
    await page.getByRole('button', { name: /^Right/ }).tap()
    await shown('Right, says Anna')
    await link('Runs').tap()
    await page.locator('.runs').getByText('Vehicle', { exact: true }).first().tap()
    await heading('Vehicle').waitFor()
    await page.getByRole('button', { name: /^Wrong/ }).tap()
    await shown('Wrong, says Anna')
    await page.getByText('Make this a case').tap()
    const form = page.locator('.make-case')
    await form.getByLabel('Clear').check()
    await form.getByRole('button', { name: 'Make it a case' }).tap()
    await form.getByText('It is a case of Yard watch.').waitFor()
  },
}

describe.skipIf(!hasBrowser)('the first hour', () => {
  beforeAll(async () => {
    data = folder()
    mkdirSync(join(data, 'pictures-in/yard'), { recursive: true })
    box = await serve(['--data', data, '--no-demo'])
    browser = await openBrowser()
    const viewport = { width: 360, height: 800 }
    page = await browser.newPage({ viewport, hasTouch: true, isMobile: true, reducedMotion: 'reduce' })
    page.setDefaultTimeout(15_000)
    page.on('pageerror', error => complaints.push(error.message))
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await box?.stop('SIGKILL')
  })

  it('is told in the order in which it is done', () => {
    expect(HEADINGS).toEqual(Object.keys(walk))
    expect(TEN).toHaveLength(10)
  })

  for (const title of HEADINGS)
    it(title, async () => {
      await walk[title]?.()
      expect(complaints.splice(0)).toEqual([])
    }, 60_000)

  it('goes by keys alone, too: a question answered, its run marked, a step built', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    const press = (key: string) => page.keyboard.press(key)
    const tabTo = async (what: Locator) => {
      for (let n = 0; n < 120; n++) {
        if (await what.evaluateAll(all => all.includes(document.activeElement as HTMLElement))) return
        await press('Tab')
      }
      throw new Error(`the keyboard does not get to ${what}`)
    }
    await page.goto(box.url)
    await link('Overview').waitFor()
    arrives('person.jpg', 'later.jpg')
    const question = page.getByRole('article', { name: 'Does somebody belong there?' })
    await question.waitFor({ timeout: 20_000 })
    await tabTo(question.getByRole('button', { name: /^No/ }))
    await press('Enter')
    await page.getByText('No · Anna').waitFor()
    await tabTo(page.locator('.decided a', { hasText: 'No · Anna' }))
    await press('Enter')
    await heading('Person').waitFor()
    await button(/^Right/).waitFor()
    await press('r')
    await shown('Right, says Anna')
    await tabTo(link('Yard watch').first())
    await press('Enter')
    await tabTo(link('Change what it does'))
    await press('Enter')
    await tabTo(page.locator('[data-lane="then[0].clear"] .plus').last())
    await press('Enter')
    await tabTo(page.getByRole('searchbox'))
    await page.keyboard.type('write down')
    await press('Enter')
    await panel().locator('h2:focus').waitFor()
    await press('Escape')
    await tabTo(button('Save as a new version'))
    await press('Enter')
    await shown(/version 3/)
    expect(complaints.splice(0)).toEqual([])
  }, 60_000)
})
