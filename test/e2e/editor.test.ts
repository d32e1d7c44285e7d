/** Files in the browser: written, mended, brought and taken, before a real box. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Appliance } from '../../src/app.ts'
import { hasBrowser, judged } from './browser.ts'
import { type RealBox, startReal } from './real-box.ts'

const RING = `# Who rings?
contract: workflow.v1
name: Ring
state: test
when: { button: {} }
then:
  - notify: { who: role:guard, message: Somebody rings }
`
const CONCIERGE = resolve(import.meta.dirname, '../../templates/gate-concierge.yaml')

let real: RealBox
let box: Appliance
let page: Page
let url: string

const text = () => page.locator('.cm-content')
const write = async (yaml: string) => {
  await text().click()
  await page.keyboard.press('Control+a')
  await text().evaluate((element, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, yaml)
}
const save = (name = 'Save as a new version') => page.getByRole('button', { name })

describe.skipIf(!hasBrowser)('files', () => {
  beforeAll(async () => {
    real = await startReal()
    ;({ box, page, url } = real)
    const saved = await box.engine.save(RING)
    if (!saved.ok) throw new Error('the file holds')
  }, 60_000)
  afterEach(() => {
    expect(real.complaints.splice(0)).toEqual([])
  })
  afterAll(() => real?.stop())

  it('opens the editor when somebody edits a file, and saves what holds as a new version', async () => {
    const loaded: string[] = []
    page.on('request', request => loaded.push(new URL(request.url()).pathname))
    await page.goto(`${url}/workflows/1`)
    await page.getByText('The file of this workflow').click()
    expect(loaded.filter(path => /chunk/.test(path))).toEqual([])
    await page.getByRole('link', { name: 'Edit the file' }).click()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.getByRole('textbox', { name: 'The file, as YAML' }).waitFor()
    expect(loaded.filter(path => /chunk/.test(path))).not.toEqual([])
    await page.getByText('No problems.').waitFor()
    expect(await save().isDisabled()).toBe(true)
    expect(await judged(page, 'editor')).toEqual([])
    await write(RING.replace('Somebody rings', 'Somebody is there'))
    await save().click()
    await page.getByText('Saved as version 2.').waitFor()
    expect(box.engine.workflowYaml(1)).toBe(RING.replace('Somebody rings', 'Somebody is there'))
  })

  it('says what is wrong at once and at its place, mends it by one click, and takes that back', async () => {
    await page.goto(`${url}/workflows/1/edit?view=text`)
    await text().waitFor()
    await write(RING.replace('notify:', 'notfy:'))
    const problems = page.getByRole('region', { name: 'Problems' })
    await problems.getByText('Error').waitFor()
    await page.getByText('1 error is left: mend it, then save.').waitFor()
    expect(await save().isDisabled()).toBe(true)
    expect(await page.locator('.cm-lintRange-error').count()).toBeGreaterThan(0)
    expect(await judged(page, 'problems')).toEqual([])
    await problems.getByRole('button', { name: /^Fix:/ }).click()
    await page.getByText('No problems.').waitFor()
    expect(await text().textContent()).toContain('notify:')
    await page.getByRole('button', { name: 'Undo' }).click()
    await problems.getByText('Error').waitFor()
    expect(await text().textContent()).toContain('notfy:')
    // What the site alone knows, the box says.
    await write(RING.replace('role:guard', 'role:porter'))
    await problems.getByText(/porter/).waitFor()
    await problems.getByRole('button', { name: 'Line 7' }).click()
    await page.locator('.cm-editor.cm-focused').waitFor()
  })

  it('says in German what is wrong, where the browser speaks it, and loads no word of that elsewhere', async () => {
    const bodies: Promise<string>[] = []
    page.on('response', answer => {
      if (answer.url().endsWith('.js')) bodies.push(answer.text().catch(() => ''))
    })
    await page.goto(`${url}/workflows/1/edit?view=text`)
    await text().waitFor()
    expect((await Promise.all(bodies)).filter(body => body.includes('Meinten Sie'))).toEqual([])
    const context = await page.context().browser()?.newContext({ locale: 'de-DE', reducedMotion: 'reduce' })
    if (!context) throw new Error('there is no browser')
    await context.addCookies(await page.context().cookies())
    const english = page
    page = await context.newPage()
    try {
      await page.setViewportSize({ width: 360, height: 800 })
      await page.goto(`${url}/workflows/999`)
      await page.getByText('Diesen Ablauf gibt es nicht.').waitFor()
      await page.goto(`${url}/workflows/1/edit?view=text`)
      await text().waitFor()
      await write(RING.replace('notify:', 'notfy:').replace('button: {}', 'buton: {}'))
      const problems = page.getByRole('region', { name: 'Probleme' })
      await problems.getByText('Einen Schritt notfy gibt es nicht: Meinten Sie notify?').waitFor()
      await problems.getByRole('button', { name: 'Beheben: In notify ändern' }).click()
      await problems.getByText('buton gibt es hier nicht: Meinten Sie button?').waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    } finally {
      page = english
      await context.close()
    }
  })

  it('saves over nothing that somebody else saved meanwhile, and loses neither', async () => {
    const mine = RING.replace('Somebody rings', 'Mine')
    const theirs = RING.replace('Somebody rings', 'Theirs')
    await page.goto(`${url}/workflows/1/edit?view=text`)
    await text().waitFor()
    await write(mine)
    await page.getByText('No problems.').waitFor()
    await box.engine.save(theirs, { id: 1, by: 'Bo' })
    await save().click()
    const met = page.getByRole('alert', { name: 'Version 3 was saved meanwhile' })
    await met.waitFor()
    expect(real.complaints.splice(0)).toEqual([expect.stringContaining('409')])
    expect(await met.locator('del').textContent()).toContain('Theirs')
    expect(await met.locator('ins').textContent()).toContain('Mine')
    expect(await judged(page, 'conflict')).toEqual([])
    expect([await save().isDisabled(), box.engine.workflowYaml(1)]).toEqual([true, theirs])
    // What was written is still known after a reload, and so is what it was made from.
    await page.reload()
    await met.waitFor()
    await page.getByRole('button', { name: 'Go on with mine' }).click()
    await save().click()
    await page.getByText('Saved as version 4.').waitFor()
    expect(box.engine.workflowYaml(1)).toBe(mine)
    await write(RING)
    await box.engine.save(theirs, { id: 1, by: 'Bo' })
    await save().click()
    await page.getByRole('button', { name: 'Take version 5' }).click()
    await page.getByText('Nothing is changed.').waitFor()
    expect(await text().textContent()).toContain('Theirs')
    expect(real.complaints.splice(0)).toEqual([expect.stringContaining('409')])
  })

  it('shows what each version changed, and goes back to one only when that is confirmed', async () => {
    await page.goto(`${url}/workflows/1`)
    await page.getByText('Versions', { exact: true }).click()
    await page.getByText('What changed since version 1').click()
    await page.locator('.versions del').first().waitFor()
    expect(await page.locator('.versions del').allTextContents()).toEqual([
      expect.stringContaining('Somebody rings'),
    ])
    expect(await judged(page, 'versions')).toEqual([])
    const { version } = box.engine.workflow('1') ?? {}
    await page.getByRole('button', { name: 'Roll back to version 1' }).click()
    const dialog = page.getByRole('dialog', { name: 'Back to version 1?' })
    await dialog.locator('ins').waitFor()
    expect(await judged(page, 'rollback')).toEqual([])
    await dialog.getByRole('button', { name: 'Leave it as it is' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(box.engine.workflow('1')?.version).toBe(version)
    await page.getByRole('button', { name: 'Roll back to version 1' }).click()
    await dialog.locator('ins').waitFor()
    // Over nothing that nobody looked at.
    const meanwhile = RING.replace('Somebody rings', 'Meanwhile')
    await box.engine.save(meanwhile, { id: 1, by: 'Bo' })
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await dialog.getByText(`Version ${(version ?? 0) + 1} was saved meanwhile.`).waitFor()
    await dialog.locator('del').getByText('Meanwhile').waitFor()
    expect(real.complaints.splice(0)).toEqual([expect.stringContaining('409')])
    expect(box.engine.workflowYaml(1)).toBe(meanwhile)
    await dialog.getByRole('button', { name: 'Go on with it' }).click()
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(box.engine.workflowYaml(1)).toBe(RING)
  })

  it('keeps what was written over a reload, until it is discarded', async () => {
    await page.goto(`${url}/workflows/1/edit?view=text`)
    await text().waitFor()
    await write(RING.replace('Somebody rings', 'Not saved'))
    await page.reload()
    await page.getByText('What you had not saved is still here.').waitFor()
    expect(await text().textContent()).toContain('Not saved')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByText('Nothing is changed.').waitFor()
    expect(await text().textContent()).not.toContain('Not saved')
  })

  it('offers kinds, keys, words and values where they may stand', async () => {
    await page.goto(`${url}/workflows/1/edit?view=text`)
    await text().waitFor()
    const offered = async (typed: string) => {
      await page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' })
      await page.keyboard.press('Control+End')
      await page.keyboard.type(typed, { delay: 5 })
      await page.keyboard.press('Control+Space')
      await page
        .locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) li')
        .first()
        .waitFor()
      const all = await page.locator('.cm-tooltip-autocomplete li .cm-completionLabel').allTextContents()
      await page.keyboard.press('Escape')
      return all
    }
    await text().click()
    expect(await offered('  - ')).toEqual(expect.arrayContaining(['ai', 'ask_person', 'notify']))
    expect(await offered('alert: { ')).toEqual(expect.arrayContaining(['severity', 'title']))
    expect(await offered('severity: ')).toEqual(['low', 'medium', 'high', 'critical'])
    expect(await offered('low, title: by {')).toContain('pressed_by')
    await page.getByRole('button', { name: 'Discard changes' }).click()
  })

  it('begins with a template', async () => {
    await page.goto(`${url}/`)
    await page.getByRole('link', { name: 'New workflow' }).click()
    await page.getByRole('button', { name: 'Use Gate concierge' }).waitFor()
    expect(await judged(page, 'new')).toEqual([])
    await page.getByRole('button', { name: 'Use Gate concierge' }).click()
    await page.getByRole('button', { name: /^Ask a person/ }).waitFor()
    await save('Save it').click()
    await page.getByRole('heading', { name: 'Gate concierge' }).waitFor()
    expect(box.engine.workflow('gate-concierge')).toMatchObject({ state: 'test' })
  })

  it('shows what a file from elsewhere would do and needs, and imports it, Off', async () => {
    await page.goto(`${url}/workflows/new`)
    const choose = (name: string, yaml: string) =>
      page.getByLabel('Choose a file').setInputFiles({
        ...{ name, mimeType: 'text/yaml', buffer: Buffer.from(yaml) },
      })
    // Names of another site become names of this one before it is stored.
    const foreign = RING.replace('role:guard', 'role:porter').replace(
      'name: Ring',
      'name: Theirs # a comment',
    )
    await choose('theirs.yaml', foreign)
    const porter = page.getByLabel('People porter')
    await porter.waitFor()
    expect(await page.getByRole('button', { name: 'Import it, Off' }).count()).toBe(0)
    expect(await judged(page, 'import-names')).toEqual([])
    await porter.selectOption('guard')
    await page.getByRole('button', { name: 'Import it, Off' }).click()
    await page.getByRole('heading', { name: 'Theirs' }).waitFor()
    const { id = 0, state } = box.engine.workflow('theirs') ?? {}
    expect([state, box.engine.workflowYaml(id)]).toEqual([
      'off',
      foreign.replace('role:porter', 'role:guard'),
    ])
    expect(real.complaints.splice(0)).toEqual([expect.stringContaining('422')])
    await page.goto(`${url}/workflows/new`)
    await choose('gate.yaml', readFileSync(CONCIERGE, 'utf8'))
    await page.getByRole('heading', { name: 'What Gate concierge would do here' }).waitFor()
    await page.getByText('once somebody known has said so').waitFor()
    await page.getByText('gate means North gate here').waitFor()
    expect(await page.getByLabel('List residents').inputValue()).toBe('residents')
    await page.getByText('looking at pictures').waitFor()
    expect(await judged(page, 'import')).toEqual([])
    await page.getByRole('button', { name: 'Import it, Off' }).click()
    // There is one of that name: a second one is asked for.
    await page.getByRole('button', { name: 'Save it as a second one of that name' }).click()
    await page.getByRole('radio', { name: 'Off', checked: true }).waitFor()
    expect(box.engine.workflow('gate-concierge-2')).toMatchObject({ state: 'off' })
    expect(real.complaints.splice(0)).toEqual([expect.stringContaining('409')])
  })

  it('hands out a file for another site', async () => {
    await page.goto(`${url}/workflows/1`)
    await page.getByText('The file of this workflow').click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download the file' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('ring.yaml')
    expect(readFileSync(await download.path(), 'utf8')).toContain('needs: { roles: [guard]')
  })
})
