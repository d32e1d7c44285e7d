/** Claim, sign in, answer: a real box, a real browser, from its first start on. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { faintTexts, hasBrowser, openBrowser } from './browser.ts'

const PASSWORD = 'four words in a row'
const SITE = 'cameras:\n  gate: { roles: [gate] }\npeople:\n  guard: { roles: [guard] }\n'
const YAML = `contract: workflow.v1
name: Gate bell
limits: { cooldown: 500ms }
when:
  webhook: {}
then:
  - ask_person: { who: role:guard, message: "Let them in?", replies: [Let in, Refuse], timeout: 10m, default: Refuse }
    Let in: [ log: "in" ]
    Refuse: [ log: "refused" ]
`

describe.skipIf(!hasBrowser)('access on the page', () => {
  let dataDir: string
  let box: Appliance
  let url: string
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const complaints: string[] = []

  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-access-'))
    const site = Site.load(SITE, 'site.yaml')
    box = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
    url = (await box.start()).url ?? ''
    const saved = await box.engine.save(YAML)
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
    await box.engine.setState(saved.workflow.id, 'on')
    browser = await openBrowser()
    await enter()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await box?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  /** Another browser, which the box does not know. */
  async function enter() {
    await context?.close()
    context = await browser.newContext({ viewport: { width: 360, height: 800 }, reducedMotion: 'reduce' })
    page = await context.newPage()
    page.setDefaultTimeout(10_000)
    page.on('pageerror', error => complaints.push(error.message))
    page.on('console', message => {
      // The browser itself reports what was refused.
      if (!/status of 4\d\d/.test(message.text())) complaints.push(message.text())
    })
  }

  async function fits(name: string) {
    for (const width of [360, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect([name, width, wide <= 0, await page.evaluate(faintTexts)]).toEqual([name, width, true, []])
        if (process.env.SHOTS)
          await page.screenshot({
            path: `${process.env.SHOTS}/${name}-${width}-${colorScheme}.png`,
            fullPage: true,
          })
      }
    await page.setViewportSize({ width: 360, height: 800 })
  }

  const signIn = async (name: string, password = PASSWORD) => {
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Password').fill(password)
    await page.keyboard.press('Enter')
  }

  it('a new box is claimed with the code of its console', async () => {
    await page.goto(url)
    await page.getByRole('link', { name: 'Claim this box' }).click()
    await page.getByLabel('Claim code').fill('0000 0000 0000')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel(/^Password/).fill(PASSWORD)
    await page.getByRole('button', { name: 'Claim it' }).click()
    await page.getByRole('alert').filter({ hasText: 'not the code' }).waitFor()
    await fits('claim')
    await page.getByLabel('Claim code').fill(box.access.code ?? '')
    await page.getByRole('button', { name: 'Claim it' }).click()
    await page.getByRole('heading', { name: 'You: Ada' }).waitFor()
    expect(await page.getByText('no login yet').count()).toBe(0)
    expect(box.access.claimed).toBe(true)
    expect(await page.evaluate(() => document.cookie)).toBe('')
    // Beside the name, in its line, and not over the edge.
    const [live, who] = await Promise.all(['.live', '.who'].map(each => page.locator(each).boundingBox()))
    if (!live || !who) throw new Error('neither is shown')
    expect(Math.abs(live.y + live.height / 2 - who.y - who.height / 2)).toBeLessThan(3)
    expect(live.x).toBeGreaterThan(who.x + who.width)
    expect(live.x + live.width).toBeLessThanOrEqual(360)
  })

  it('an admin adds somebody, and makes a token that is shown once', async () => {
    await page.getByText('Add somebody').click()
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Add', exact: true }) })
    await form.getByLabel('Name', { exact: true }).fill('Grace')
    await form.locator('select').selectOption('operator')
    await form.getByLabel(/^Cameras/).fill('gate, gatt')
    await form.getByLabel(/^Password/).fill(PASSWORD)
    await form.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('operator, gate, gatt').waitFor()
    await page.getByText('No camera here is called gatt').waitFor()
    await page.getByText('Change Grace').click()
    await page
      .getByLabel(/^Cameras/)
      .first()
      .fill('gate, role:gate')
    await page.getByRole('button', { name: 'Set cameras' }).click()
    await page.getByText('operator, gate, role:gate').waitFor()
    expect(await page.getByText('No camera here').count()).toBe(0)
    await page.getByText('Make a token for a program').click()
    await page.getByLabel('What it is for').fill('Home Assistant')
    await page.getByLabel('Answer questions, as you').check()
    await page.getByRole('button', { name: 'Make it' }).click()
    const token = (await page.locator('code').textContent()) ?? ''
    expect(token).toMatch(/^ght_/)
    const read = await fetch(`${url.replace('localhost', '127.0.0.1')}/api/v1/approvals`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(read.status).toBe(200)
    for (const details of await page.locator('details').all())
      await details.evaluate(it => {
        ;(it as HTMLDetailsElement).open = true
      })
    await fits('access')
    await page.getByRole('button', { name: 'Done' }).click()
    expect(await page.locator('body').textContent()).not.toContain(token)
    await page.getByRole('button', { name: 'Take back' }).click()
    const dialog = page.getByRole('dialog', { name: 'Take back “Home Assistant”?' })
    await dialog.waitFor()
    await fits('take-back')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(box.access.tokens.list(null).length).toBe(1)
    await page.getByRole('button', { name: 'Take back' }).click()
    await dialog.getByRole('button', { name: 'Take back' }).click()
    await page.getByText('Home Assistant').first().waitFor({ state: 'detached' })
    const after = await fetch(`${url.replace('localhost', '127.0.0.1')}/api/v1/approvals`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(after.status).toBe(401)
  })

  it('a link to a run leads there after signing in, and the question is answered in that name', async () => {
    const hook = box.engine.workflow('gate-bell')?.hook
    const rung = await fetch(url.replace('localhost', '127.0.0.1') + hook, { method: 'POST' })
    const { run } = (await rung.json()) as { run: number }
    await expect.poll(() => box.engine.approvals({ open: true }).length).toBe(1)
    await enter()
    await page.goto(`${url}/runs/${run}`)
    await signIn('Grace', 'not her password')
    await page.getByRole('alert').filter({ hasText: 'Name or password is wrong.' }).waitFor()
    await fits('login')
    await signIn('Grace')
    await page.getByRole('button', { name: /Let in/ }).click()
    await page.getByText('Answered by Grace').first().waitFor()
    expect(new URL(page.url()).pathname).toBe(`/runs/${run}`)
    expect(box.engine.approvals()).toMatchObject([
      { answer: 'Let in', answered_by: 'Grace', identified_by: 'session' },
    ])
  })

  it('whoever may only look is offered nothing else, and told why', async () => {
    await box.access.users.add({ name: 'Vi', role: 'viewer', cameras: null, password: PASSWORD }, 'Ada')
    const hook = box.engine.workflow('gate-bell')?.hook
    const rung = await fetch(url.replace('localhost', '127.0.0.1') + hook, { method: 'POST' })
    const { run } = (await rung.json()) as { run: number }
    await expect.poll(() => box.engine.approvals({ open: true }).length).toBe(1)
    await enter()
    await page.goto(url)
    await signIn('Vi')
    await page.getByText('You may look, but not answer').first().waitFor()
    await page.getByText('You may look, but not change workflows').first().waitFor()
    expect(await page.getByRole('button', { name: /Let in/ }).isDisabled()).toBe(true)
    expect(await page.getByRole('radio', { name: 'On' }).isDisabled()).toBe(true)
    for (const name of ['Pause moves', 'Snooze']) expect(await page.getByText(name).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'New workflow' }).count()).toBe(0)
    await fits('viewer-home')
    await page.goto(`${url}/runs/${run}`)
    await page.getByText('You may look, but not answer').first().waitFor()
    expect(await page.getByRole('button', { name: 'Stop this run' }).count()).toBe(0)
    await fits('viewer-run')
    for (const path of ['/workflows/1/edit', '/workflows/new']) {
      await page.goto(url + path)
      await page.getByText('You may look, but not change workflows').waitFor()
      expect(await page.locator('.cm-content, input[type=file]').count()).toBe(0)
    }
    await page.goto(`${url}/workflows/1`)
    await page.getByText('The file of this workflow').click()
    expect(await page.getByRole('link', { name: 'Edit the file' }).count()).toBe(0)
    await fits('viewer-workflow')
    await enter()
    await page.goto(`${url}/runs/${run}`)
    await signIn('Grace')
    await page.getByRole('button', { name: /Let in/ }).click()
    await page.getByText('Answered by Grace').first().waitFor()
    // Hers are the workflows of her cameras alone.
    const wide = { name: 'Anywhere', when: '  event: { schema: picture.arrived.v1 }' }
    const file = `contract: workflow.v1\nname: ${wide.name}\nwhen:\n${wide.when}\nthen: [ log: seen ]\n`
    const saved = await box.engine.save(file)
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
    await page.goto(`${url}/workflows/${saved.workflow.id}`)
    await page
      .getByText(/^You may look, but not change it: .* its trigger takes events of any camera/)
      .waitFor()
    expect(await page.getByRole('radio', { name: 'On' }).isDisabled()).toBe(true)
    await page.goto(`${url}/workflows/${saved.workflow.id}/edit`)
    await page.getByText(/^You may look, but not change it/).waitFor()
    expect(await page.locator('.cm-content').count()).toBe(0)
    await page.goto(`${url}/workflows/1`)
    await page.getByRole('radio', { name: 'Test' }).and(page.locator(':enabled')).waitFor()
  })

  it('whoever is removed is out at once, and sees the way in', async () => {
    await page.getByText('Live', { exact: true }).waitFor()
    const kept = () =>
      page.evaluate(() =>
        [localStorage, sessionStorage].flatMap(all =>
          Object.keys(all).filter(key => / |draft-|site-/.test(key)),
        ),
      )
    const write = () =>
      page.evaluate(() => {
        localStorage.setItem('gatehouse-draft-1', 'then: []')
        sessionStorage.setItem('gatehouse-site-facts-', '{}')
        sessionStorage.setItem('drawing gate', '{}')
      })
    await write()
    await box.access.users.remove(box.access.users.known('Grace').id, 'Ada')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    // What she wrote waits for her, and is not for whoever comes next.
    expect(await kept()).toHaveLength(3)
    await signIn('Ada')
    await page.getByRole('link', { name: 'Ada' }).click()
    expect(await kept()).toEqual([])
    await write()
    await page.getByText('Change Vi').click()
    const dialog = page.getByRole('dialog', { name: 'Remove Vi?' })
    await page.getByRole('button', { name: 'Remove Vi' }).click()
    await fits('remove-user')
    await dialog.getByRole('button', { name: 'Leave it as it is' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(box.access.users.known('Vi').name).toBe('Vi')
    await page.getByRole('button', { name: 'Remove Vi' }).click()
    await dialog.getByRole('button', { name: 'Remove Vi' }).click()
    await page.getByText('Change Vi').waitFor({ state: 'detached' })
    expect(() => box.access.users.known('Vi')).toThrow()
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await kept()).toEqual([])
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('who sees no workflow is not sent where an admin alone may go', async () => {
    const bound = { name: 'Bo', role: 'operator', cameras: ['gatt'], password: PASSWORD } as const
    await box.access.users.add(bound, 'Ada')
    for (const { id } of box.engine.workflows()) await box.engine.remove(id, 'Ada')
    await enter()
    await page.goto(url)
    await signIn('Bo')
    await page.getByText('There are no workflows yet').waitFor()
    await page.getByRole('link', { name: 'New workflow' }).waitFor()
    expect(await page.locator('.first-steps').count()).toBe(0)
  })
})
