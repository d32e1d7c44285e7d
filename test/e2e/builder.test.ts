/** A workflow built out of cards: by keyboard alone, by mouse, on a phone. */
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Appliance } from '../../src/app.ts'
import { parse } from '../../src/contract/index.ts'
import { hasBrowser, judged } from './browser.ts'
import { type RealBox, startReal } from './real-box.ts'

const RING = `# Who rings?
contract: workflow.v1
name: Ring # the front door
state: test
when: { button: {} }
then:
  # the guard first
  - notify: { who: role:guard, message: Somebody rings } # short
  - log: rang
`

let real: RealBox
let box: Appliance
let page: Page
let url: string

const save = (name = 'Save as a new version') => page.getByRole('button', { name })
const panel = () => page.locator('.panel')
const card = (name: RegExp | string) => page.locator('button.flow-card').filter({ hasText: name })
/** Goes on with the Tab key until something is focused. */
const tabTo = async (what: () => ReturnType<Page['locator']>) => {
  for (let n = 0; n < 80; n++) {
    if (await what().evaluateAll(all => all.includes(document.activeElement as HTMLElement))) return
    await page.keyboard.press('Tab')
  }
  throw new Error('the keyboard does not get there')
}
const typed = async (text: string) => {
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}
/** Opens the chooser behind the focused button and takes the first kind by that word. */
const choose = async (word: string) => {
  await page.keyboard.press('Enter')
  await page.locator('dialog.chooser').waitFor()
  await tabTo(() => page.getByRole('searchbox'))
  await page.keyboard.type(word)
  await page.keyboard.press('Enter')
  await page.locator('dialog.chooser').waitFor({ state: 'detached' })
  await panel().locator('h2:focus').waitFor()
}

describe.skipIf(!hasBrowser)('the builder', () => {
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

  it('builds a whole workflow by keyboard alone, which validates and is saved', async () => {
    await page.goto(`${url}/workflows/new`)
    await tabTo(() => page.getByRole('button', { name: 'Start with nothing' }))
    await page.keyboard.press('Enter')
    await card('When its button is pressed').waitFor()
    // Its name.
    await tabTo(() => card('New workflow'))
    await page.keyboard.press('Enter')
    await tabTo(() => panel().getByLabel('Name', { exact: true }))
    await typed('Night gate')
    await page.keyboard.press('Escape')
    await card('Night gate').waitFor()
    // What starts it.
    await tabTo(() => card('When its button is pressed'))
    await page.keyboard.press('Enter')
    await tabTo(() => panel().getByRole('button', { name: 'Let something else start it' }))
    await choose('zone')
    expect(await panel().getByRole('checkbox', { name: 'gate' }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    // What keeps it out.
    await tabTo(() => page.getByRole('button', { name: 'Add a condition' }))
    await choose('mode')
    await tabTo(() => panel().getByRole('checkbox', { name: 'armed_away' }))
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    await card('armed_away').waitFor()
    // A look with two decisions.
    await tabTo(() => page.locator('.flow > .between.last .plus').first())
    await choose('AI looks')
    await tabTo(() => panel().getByLabel('Question to the picture'))
    await typed('Is a person at the gate?')
    await tabTo(() => panel().getByLabel('Decisions, number 1'))
    await typed('somebody')
    await tabTo(() => panel().getByLabel('Decisions, number 2'))
    await typed('nobody')
    await page.keyboard.press('Escape')
    await card('Is a person at the gate?').waitFor()
    // A question to the guard on its first path.
    await tabTo(() => page.locator('[data-lane="then[0].somebody"] .plus').first())
    await choose('question')
    await tabTo(() => panel().getByLabel('Question', { exact: true }))
    await typed('Let them in?')
    await page.keyboard.press('Escape')
    await card('Let them in?').waitFor()
    // A message on one of its replies.
    await tabTo(() => page.locator('[data-lane="then[0].somebody[0].Yes"] .plus').first())
    await choose('message to')
    await tabTo(() => panel().getByLabel('Message', { exact: true }))
    await typed('Somebody was let in')
    await page.keyboard.press('Escape')
    // Only that this very box has no detector connected is said.
    await page
      .getByText(/It cannot be run here: detect.person_in_zone/)
      .first()
      .waitFor()
    expect(await page.getByRole('region', { name: 'Problems' }).getByText('Error').count()).toBe(0)
    expect(await judged(page, 'built')).toEqual([])
    await tabTo(() => save('Save it'))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Night gate' }).waitFor()
    const { workflow, problems } = parse(box.engine.workflowYaml(2) ?? '')
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(workflow).toMatchObject({
      name: 'Night gate',
      when: { kind: 'detect.person_in_zone', params: { cameras: ['gate'] } },
      if: [{ kind: 'site_mode' }],
      then: [
        {
          kind: 'ai',
          params: { decision: ['somebody', 'nobody'] },
          paths: { somebody: [{ kind: 'ask_person', paths: { Yes: [{ kind: 'notify' }] } }] },
        },
      ],
    })
  })

  it('adds, moves, removes and brings back by mouse, and keeps every comment', async () => {
    await page.goto(`${url}/workflows/1/edit`)
    await page.locator('.flow > .between.last .plus').first().click()
    await page.locator('dialog.chooser').waitFor()
    expect(await judged(page, 'chooser')).toEqual([])
    // What is called so comes before what is only said to do it.
    const offered = page.locator('dialog.chooser .kinds strong')
    await page.getByRole('searchbox').fill('speak')
    await expect.poll(() => offered.allTextContents()).toEqual(['Speak', 'Call'])
    await page.getByRole('searchbox').fill('')
    await page.getByRole('button', { name: /^Raise an alert/ }).click()
    await panel().getByLabel('Title').fill('Somebody is there')
    await page.keyboard.press('Tab')
    await panel().getByLabel('Severity').selectOption('high')
    await card('Somebody is there').waitFor()
    await panel().getByRole('button', { name: 'Up', exact: true }).click()
    await expect
      .poll(() => page.locator('button.flow-card strong').allTextContents())
      .toEqual([...['Ring', 'When its button is pressed', 'Notify', 'Raise an alert', 'Write down']])
    await panel().getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The step was removed.').waitFor()
    expect(await card('Somebody is there').count()).toBe(0)
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await card('Somebody is there').waitFor()
    await card('Somebody rings').click()
    await panel().getByRole('button', { name: 'Move elsewhere' }).click()
    await page.getByRole('button', { name: 'Put it here' }).nth(-2).click()
    await expect
      .poll(() => page.locator('button.flow-card strong').allTextContents())
      .toEqual([...['Ring', 'When its button is pressed', 'Raise an alert', 'Write down', 'Notify']])
    await page.getByText('No problems.').waitFor()
    await save().click()
    await page.getByText(/^Saved as version/).waitFor()
    expect(box.engine.workflowYaml(1)).toBe(`# Who rings?
contract: workflow.v1
name: Ring # the front door
state: test
when: { button: {} }
then:
  - alert: { severity: high, title: Somebody is there }
  - log: rang
  # the guard first
  - notify: { who: role:guard, message: Somebody rings } # short
`)
    // By keyboard too, and back by the history that both views share.
    await card('Somebody rings').focus()
    await page.keyboard.press('Alt+ArrowUp')
    await page.locator('button.flow-card:focus').getByText('Notify').waitFor()
    await page.keyboard.press('Delete')
    await card('Somebody rings').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('Nothing is changed.').waitFor()
  })

  it('says on its card what is wrong, and mends it by one click; the text shows the same', async () => {
    await page.goto(`${url}/workflows/1/edit`)
    await card('Somebody rings').click()
    await panel().getByLabel('Message').fill('By {presed_by}')
    await page.keyboard.press('Tab')
    await card('By {presed_by}').getByText('Error').waitFor()
    await page.getByText('1 error is left: mend it, then save.').waitFor()
    expect(await save().isDisabled()).toBe(true)
    expect(await judged(page, 'builder-wrong')).toEqual([])
    await panel().getByRole('button', { name: /^Fix:/ }).click()
    await card('By {pressed_by}').waitFor()
    await panel().getByLabel('Message').fill('Now ')
    await panel().getByText('Put in a value').click()
    await panel().getByRole('button', { name: '{pressed_by}', exact: true }).click()
    await page.keyboard.press('Tab')
    await card('Now {pressed_by}').waitFor()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.locator('.cm-content').getByText('Now {pressed_by}').waitFor()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('button', { name: 'Builder', exact: true }).click()
    await card('By {pressed_by}').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await page.getByText('Nothing is changed.').waitFor()
  })

  it('fills in fields, rules and conditions within conditions without a line of YAML', async () => {
    await page.goto(`${url}/workflows/1/edit`)
    await page.locator('.flow > .between.last .plus').first().click()
    await page.getByRole('button', { name: /^AI looks/ }).click()
    const more = panel().getByRole('textbox', { name: 'Name of another value, such as people' })
    await more.fill('people')
    await more.press('Enter')
    await panel().getByLabel('How people is filled in').waitFor()
    await panel().getByRole('button', { name: 'Add a rule' }).click()
    const rule = panel().locator('.rules li').first()
    await rule.getByLabel('Look at another field').selectOption('people')
    await rule.getByLabel('How people is compared').selectOption('at_least')
    await rule.getByLabel('With what people is compared').fill('1')
    await page.keyboard.press('Tab')
    await panel().getByRole('button', { name: 'Add a rule' }).click()
    await panel().locator('.rules li').nth(1).getByLabel('Decide').selectOption('No')
    await page.getByText('No problems.').waitFor()
    expect(await judged(page, 'fields')).toEqual([])
    await page.getByRole('button', { name: 'Add a condition' }).click()
    await page.getByRole('button', { name: /^One of several/ }).click()
    await panel().getByRole('button', { name: '+ Add a condition' }).click()
    await page
      .locator('dialog.chooser')
      .getByRole('button', { name: /^Mode of the site/ })
      .click()
    await panel().getByLabel('Turned round: it must not hold').first().waitFor()
    await page.getByText('No problems.').waitFor()
    expect(await judged(page, 'conditions')).toEqual([])
    await save().click()
    await page.getByText(/^Saved as version/).waitFor()
    const saved = parse(box.engine.workflowYaml(1) ?? '').workflow
    expect(saved?.if).toMatchObject([{ kind: 'any', params: [{ kind: 'time' }, { kind: 'site_mode' }] }])
    expect(saved?.then.at(-1)?.params).toMatchObject({
      fields: { people: { measure: 'count', of: 'person' } },
      rules: [{ when: { people: { at_least: 1 } }, then: 'Yes' }, { then: 'No' }],
    })
    expect(box.engine.workflowYaml(1)).toContain('# the guard first')
  })
})
