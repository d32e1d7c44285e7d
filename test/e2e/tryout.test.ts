/** A draft tried on what happened, beside the editor: a real box, its real eyes, a real browser. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, judged } from './browser.ts'
import { type RealBox, startReal } from './real-box.ts'

const picture = (name: string) =>
  readFileSync(resolve(import.meta.dirname, '../../templates/cases/pictures', name))
const YARD = `contract: workflow.v1
name: Yard
state: test
limits: { cooldown: 0s }
when: { webhook: {} }
then:
  - ai:
      mode: look
      prompt: Is somebody there?
      input: picture
      fields: { people: { measure: count, of: person } }
      decision: [person, clear]
      rules: [{ when: { people: { at_least: 1 } }, then: person }, { then: clear }]
      person: [{ notify: { who: role:guard, message: Somebody is there } }]
      clear: []
      unsure: []
`

let real: RealBox
let page: Page

const write = async (yaml: string) => {
  const text = page.locator('.cm-content')
  await text.click()
  await page.keyboard.press('Control+a')
  await text.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, yaml)
}
const open = async (path: string) => {
  await page.goto(`${real.url}${path}?view=text`)
  await page.locator('.cm-content').waitFor()
  await page.getByRole('button', { name: 'Try on recent events' }).click()
}

describe.skipIf(!hasBrowser)('a draft tried on recent events', () => {
  beforeAll(async () => {
    real = await startReal()
    page = real.page
    const saved = await real.box.engine.save(YARD)
    if (!saved.ok) throw new Error('the file holds')
  }, 60_000)
  afterEach(() => {
    expect(real.complaints.splice(0)).toEqual([])
  })
  afterAll(() => real?.stop())

  it('says what to do where nothing happened yet', async () => {
    await open('/workflows/1/edit')
    const panel = page.getByRole('complementary', { name: 'Try on recent events' })
    await panel.getByRole('button', { name: 'Try it' }).click()
    await panel.getByText(/^Nothing came to it yet/).waitFor()
    expect(await judged(page, 'tryout-none')).toEqual([])
  })

  it('shows each event beside the saved version, with its picture, its steps and what would have been', async () => {
    const hook = real.box.engine.workflow('1')?.hook ?? ''
    for (const name of ['person.jpg', 'yard-empty.jpg']) {
      const form = new FormData()
      form.set('picture', new File([picture(name)], name, { type: 'image/jpeg' }))
      const answered = await fetch(`${real.url}${hook}`, { method: 'POST', body: form })
      const { run } = (await answered.json()) as { run: number }
      await real.box.engine.settled(run, 60_000)
    }
    await open('/workflows/1/edit')
    await write(YARD.replace('at_least: 1', 'at_least: 9'))
    const panel = page.getByRole('complementary', { name: 'Try on recent events' })
    await panel.getByRole('button', { name: 'Try it' }).click()
    await panel.getByText('1 of 2 decides otherwise than the saved version.').waitFor({ timeout: 60_000 })
    // Flips first, though the empty yard came last.
    const [first, second] = await panel.locator('.tried > li').all()
    expect(await first?.textContent()).toMatch(/was Person\s*is Clear\s*Differs/)
    expect(await second?.textContent()).toMatch(/^\s*Clear/)
    await first?.getByText('Steps').click()
    await first?.getByRole('img', { name: /1 person/ }).waitFor()
    await first?.getByText('rule 2 of the workflow').waitFor()
    expect(await judged(page, 'tryout')).toEqual([])
    await page.getByRole('button', { name: 'Builder', exact: true }).click()
    await page.getByRole('button', { name: /^Look at the picture/ }).click()
    expect(await judged(page, 'tryout-cards')).toEqual([])
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    expect(real.box.engine.workflow('1')?.version).toBe(1)
    await write(YARD.replace('Somebody is there', 'Look'))
    await panel.getByText(/^You have changed it since/).waitFor()
    await panel.getByRole('button', { name: 'Try it again' }).click()
    await panel
      .getByText('2 events tried: all come out as with the saved version.')
      .waitFor({ timeout: 60_000 })
    await panel.locator('.tried > li').nth(1).getByText('Steps').click()
    await panel.getByText('Would have: Notify').waitFor()
  })

  it('can be stopped, and begun again at once', async () => {
    const panel = page.getByRole('complementary', { name: 'Try on recent events' })
    await page.route('**/try?watch=true', async route => {
      await new Promise(done => page.once('close', done))
      await route.abort()
    })
    await panel.getByRole('button', { name: 'Try it again' }).click()
    await panel.getByRole('button', { name: 'Stop' }).click()
    await panel.getByText('Stopped: what was tried by then is below.').waitFor({ state: 'attached' })
    await page.unroute('**/try?watch=true')
    await panel.getByRole('button', { name: 'Try it again' }).click()
    await panel.getByText(/^2 events tried/).waitFor({ timeout: 60_000 })
    // The box may have been busy with what was stopped: then it was asked again.
    expect(real.complaints.splice(0).filter(line => !line.includes('409'))).toEqual([])
  })

  it('makes a run a case with the answer that is right, and tries, lists and removes it on the page of its workflow', async () => {
    await page.goto(`${real.url}/runs/2`)
    await page.getByText('Make this a case').click()
    const form = page.locator('.make-case')
    await form.getByText('What would have been right?').waitFor()
    await form.getByLabel('Person').check()
    await form.getByLabel(/^Why/).fill('somebody lies in the grass')
    expect(await judged(page, 'make-case')).toEqual([])
    await form.getByRole('button', { name: 'Make it a case' }).click()
    await form.getByText('It is a case of Yard.').waitFor()
    await form.getByRole('button', { name: 'Change what is right' }).waitFor()
    await form.getByRole('link', { name: 'See all of them' }).click()
    await page.getByText('Cases', { exact: true }).click()
    const one = page.locator('.cases > li')
    await one.getByText('Should be Person').waitFor()
    await one.getByText('Wrong').waitFor()
    await one.getByText('somebody lies in the grass').waitFor()
    await page.getByRole('button', { name: 'Try all of them' }).click()
    await page.getByText('1 tried: 0 right.').waitFor({ timeout: 30_000 })
    expect(await judged(page, 'cases')).toEqual([])
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download for an evaluation' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('yard-cases.tar')
    const listed = Bun.spawn(['tar', '-tf', await download.path()])
    expect(await new Response(listed.stdout).text()).toBe('pictures/yard-case-1.jpg\nlook/yard.yaml\n')
    await one.getByRole('button', { name: /^Remove the case/ }).click()
    await one.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText(/^No cases yet/).waitFor()
    expect(real.box.engine.learning.set.list(1)).toEqual([])
  })
})
