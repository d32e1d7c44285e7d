/** Going live and the box's own screen, in a browser before a real box with real runs. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Appliance } from '../../src/app.ts'
import { hasBrowser, judged } from './browser.ts'
import { type RealBox, startReal } from './real-box.ts'

const PICTURES = resolve(import.meta.dirname, '../../templates/cases/pictures')
const TEMPLATES = resolve(import.meta.dirname, '../../templates')
const WATCH = `contract: workflow.v1
name: Door watch
state: test
limits: { cooldown: 500ms }
when:
  webhook: {}
then:
  - ai:
      mode: look
      prompt: Is somebody there?
      input: picture
      fields:
        people: { measure: count, of: person }
      decision: [somebody, nobody]
      rules:
        - { when: { people: { at_least: 1 } }, then: somebody }
        - { then: nobody }
      somebody:
        - notify: { who: role:guard, message: "At the door: {reason}" }
      nobody: []
      unsure: []
`
const UNSURE = `unsure:
        - ask_person: { who: role:guard, message: Well?, replies: [Yes], timeout: 10m }
          Yes: [ log: "yes" ]
          no_answer: [ log: "no" ]`
let real: RealBox
let box: Appliance
let page: Page
let url: string

const save = async (yaml: string, id?: number) => {
  const saved = await box.engine.save(yaml, id === undefined ? {} : { id })
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  return saved.workflow
}

describe.skipIf(!hasBrowser)('going live', () => {
  beforeAll(async () => {
    real = await startReal()
    ;({ box, page, url } = real)
  }, 60_000)
  afterEach(() => {
    expect(real.complaints.splice(0)).toEqual([])
  })
  afterAll(() => real?.stop())

  const choose = async (id: number, state: string) => {
    await page.goto(`${url}/workflows/${id}`)
    await page.getByRole('radio', { name: state }).click()
  }

  it('says what it will move, whom it will tell and ask, what it reads, and how it did', async () => {
    const yaml = readFileSync(join(TEMPLATES, 'gate-concierge.yaml'), 'utf8')
    const { id } = await save(yaml)
    await choose(id, 'On')
    const dialog = page.getByRole('dialog', { name: 'Switch Gate concierge On?' })
    await dialog.getByText('once somebody known has said so').waitFor()
    const text = ((await dialog.textContent()) ?? '').replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/It moves.*Call a webhook: gate/)
    expect(text).toMatch(/It asks.*guard/)
    expect(text).toContain('number plates')
    expect(text).toContain('Only an admin can switch it On: it moves something.')
    expect(text).toContain('No run of it was marked right or wrong yet.')
    expect(text).toContain('It has never run in Test')
    expect(await judged(page, 'live')).toEqual([])
    // By keyboard: out of it, and nothing was switched.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: 'Test', checked: true }).waitFor()
    expect(box.engine.workflow(String(id))?.state).toBe('test')
    await page.locator(`input[name=state-${id}][value=test]`).focus()
    await page.keyboard.press('ArrowRight')
    await dialog.getByRole('button', { name: 'Switch On' }).focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    expect(box.engine.workflow(String(id))?.state).toBe('on')
  })

  it('shows case by case what comes out differently, and goes On only when that is confirmed', async () => {
    const { id, hook } = await save(WATCH)
    const form = new FormData()
    form.set('picture', new File([readFileSync(join(PICTURES, 'person.jpg'))], 'person.jpg'))
    const { run } = (await (await fetch(url + hook, { method: 'POST', body: form })).json()) as {
      run: number
    }
    await box.engine.settled(run, 30_000)
    await box.engine.learning.mark(run, true, null, 'Ann')
    await save(WATCH.replace('at_least: 1', 'at_least: 9'), id)
    await choose(id, 'On')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 run: 1 done, 0 failed, 0 stopped').waitFor()
    await dialog.getByRole('button', { name: 'Switch On' }).click()
    await dialog.getByText('1 run that people marked as right comes out differently now.').waitFor()
    await dialog.getByText('was somebody, now nobody').waitFor()
    const link = dialog.getByRole('link', { name: 'A run that people marked as right' })
    expect(await link.getAttribute('href')).toBe(`/runs/${run}`)
    expect(await judged(page, 'flipped')).toEqual([])
    expect(box.engine.workflow(String(id))?.state).toBe('test')
    await dialog.getByRole('button', { name: 'Switch On anyway' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(box.engine.workflow(String(id))?.state).toBe('on')
    // The browser itself reports the refused request.
    expect(real.complaints.splice(0)).toEqual([expect.stringContaining('409')])
  }, 60_000)

  it('draws a workflow as a flow, and lights the way that a run took', async () => {
    const workflow = await save(WATCH.replace('Door watch', 'Drawn').replace('unsure: []', UNSURE))
    const form = new FormData()
    form.set('picture', new File([readFileSync(join(PICTURES, 'person.jpg'))], 'person.jpg'))
    const rung = await fetch(url + workflow.hook, { method: 'POST', body: form })
    const { run } = (await rung.json()) as { run: number }
    await box.engine.settled(run, 30_000)
    await page.goto(`${url}/workflows/${workflow.id}`)
    await page.getByText('What it does, step by step').click()
    const cards = page.locator('.flow-card')
    await cards.first().waitFor()
    expect((await cards.locator('strong').allTextContents()).map(text => text.trim())).toEqual([
      ...[
        'When its webhook is called',
        'Look at the picture',
        'Notify',
        'Ask a person',
        'Write down',
        'Write down',
      ],
    ])
    expect(await page.locator('.lane-name').allTextContents()).toEqual(
      ['Somebody', 'Nobody', 'Unsure', 'Yes', 'Nobody answered'].map(name => expect.stringContaining(name)),
    )
    expect(await page.locator('.lit').count()).toBe(0)
    expect(await judged(page, 'flow')).toEqual([])
    await page.goto(`${url}/runs/${run}`)
    await page.getByText('The way that it took').click()
    await cards.first().waitFor()
    expect(await page.locator('.flow-card.lit strong').allTextContents()).toEqual([
      ...['When its webhook is called', 'Look at the picture', 'Notify'],
    ])
    expect(await page.locator('.lane.lit > .lane-name').textContent()).toContain('Somebody (taken)')
    expect(await page.locator('.lane.lit').count()).toBe(1)
    expect(await judged(page, 'way')).toEqual([])
  })

  it('shows the box: what it is, how quick, what is not offered and why, its models', async () => {
    await page.goto(`${url}/`)
    await page.getByRole('navigation').getByRole('link', { name: 'Box' }).click()
    await page.getByRole('heading', { name: 'Box' }).waitFor()
    await page.getByText('Not measured yet: run "gatehouse hardware --measure" on the box.').waitFor()
    await page.getByText(/investigating needs a language model: name one/).waitFor()
    await page.getByText('The site names none').waitFor()
    expect(await page.getByText(/\d cores?$/).count()).toBe(1)
    expect(await page.getByText('comes with the program').count()).toBeGreaterThan(0)
    expect(await judged(page, 'box')).toEqual([])
  })
})
