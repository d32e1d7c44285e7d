/** The site's screens before a real box, while somebody else changes the same. */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { type Asks, PASSWORD, somebody } from '../web/people.ts'
import { faintTexts, hasBrowser, judged, openBrowser } from './browser.ts'

/** Takes what is told. */
const heard: string[] = []
const chat = createServer((request, response) => {
  heard.push(`${request.method} ${request.url}`)
  request.resume().on('end', () => response.writeHead(204).end())
})

let dataDir: string
let box: Appliance
let url: string
let browser: Browser
let context: BrowserContext
let page: Page
const complaints: string[] = []

const siteFile = (port: number) => `time_zone: Europe/Berlin
facts: The gate opens inward.
modes: [disarmed, armed_home, armed_away]
cameras:
  north: { name: North gate, roles: [gate] }
people:
  ann: { roles: [guard, owner], channels: [{ via: chat, from: high }], quiet_hours: { from: "22:00", to: "06:00" } }
lists: { residents: [B-AB 123, K-XY 9], staff: [M 1] }
channels:
  chat: { kind: webhook, destination: chat }
destinations:
  chat: { url: "http://127.0.0.1:${port}/chat", class: tell }
  horn: { url: "http://localhost:9/horn", class: move }
  lamp_state: { topic: house/lamp, class: tell }
mqtt: { url: "mqtt://127.0.0.1:9" }
apps: { doors: { open: move, ring: tell } }
`

async function enter(name: string) {
  await context?.close()
  context = await browser.newContext({ viewport: { width: 360, height: 800 }, reducedMotion: 'reduce' })
  page = await context.newPage()
  page.setDefaultTimeout(10_000)
  page.on('pageerror', error => complaints.push(error.message))
  page.on('console', message => {
    // The browser itself reports what was refused.
    if (!/status of 4\d\d/.test(message.text())) complaints.push(message.text())
  })
  await page.goto(url)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Site', exact: true }).waitFor()
}

/** Somebody else, signed in elsewhere: what they save is saved while the page is open. */
let bob: Asks
const saves = async (path: string, body: unknown) => {
  const response = await bob('PUT', `/api/v1/site-rules${path}`, body)
  expect([path, response.status]).toEqual([path, 200])
}
const other = (set: unknown) => saves('', { set })
const lists = (name: string, entries: string[]) => saves(`/entries/${name}`, { entries })
const rules = () => box.rules.site
const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
const saved = () => page.getByText(/^Saved as version \d+ of the rules\.$/).waitFor()
const open = async (path: string) => {
  await page.goto(url + path)
  await page.locator('h2').first().waitFor()
}
const openAll = (at = page) =>
  at.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })

describe.skipIf(!hasBrowser)('the screens of the site', () => {
  beforeAll(async () => {
    await new Promise<void>(resolve => chat.listen(0, '127.0.0.1', resolve))
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-site-'))
    const site = Site.load(siteFile((chat.address() as AddressInfo).port), 'site.yaml')
    box = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
    url = (await box.start()).url ?? ''
    const { users } = box.access
    await users.add({ name: 'Ada', role: 'admin', cameras: null, password: PASSWORD }, 'test')
    await users.add({ name: 'Olga', role: 'operator', cameras: null, password: PASSWORD }, 'test')
    await users.add({ name: 'Bound', role: 'operator', cameras: ['north'], password: PASSWORD }, 'test')
    bob = await somebody({ port: Number(new URL(url).port), access: box.access }, 'Bob', 'admin')
    browser = await openBrowser()
    await enter('Ada')
  }, 60_000)
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await box?.stop()
    chat.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  it('are found from everywhere, each at its address, and break no rule of axe-core', async () => {
    await page.getByRole('link', { name: 'Site', exact: true }).click()
    for (const name of ['Cameras', 'Privacy', 'Lists'])
      await page.getByRole('link', { name, exact: true }).waitFor()
    expect(await judged(page, 'site')).toEqual([])
    for (const [path, text] of [
      ['people', 'Ann'],
      ['rules', 'What AI may use'],
      ['destinations', 'Horn'],
      ['lists/residents', 'B-AB 123'],
    ] as const) {
      await page.goto(`${url}/site/${path}`)
      await page.getByText(text).first().waitFor()
      await openAll()
      expect([path, await judged(page, `site-${path.replace('/', '-')}`)]).toEqual([path, []])
    }
  }, 120_000)

  it('fit in German, too', async () => {
    const german = await browser.newContext({
      locale: 'de-DE',
      storageState: await context.storageState(),
      viewport: { width: 360, height: 800 },
      reducedMotion: 'reduce',
    })
    const seite = await german.newPage()
    seite.setDefaultTimeout(10_000)
    for (const [path, text] of [
      ['people', 'Rollen der Kameras'],
      ['rules', 'Was die KI nutzen darf'],
      ['destinations', 'Apps des NVR'],
      ['lists/residents', 'Dateien'],
    ] as const) {
      await seite.goto(`${url}/site/${path}`)
      await seite.getByRole('heading', { name: text }).waitFor()
      await openAll(seite)
      const wide = await seite.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      expect([path, wide <= 0, await seite.evaluate(faintTexts)]).toEqual([path, true, []])
      const nav = await seite
        .locator('header nav')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
      expect([path, nav]).toEqual([path, 0])
      const name = `site-de-${path.replace('/', '-')}`
      if (process.env.SHOTS)
        await seite.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
    }
    await german.close()
  }, 30_000)

  it('people: somebody is added and changed while somebody else adds another, and both count', async () => {
    await open('/site/people')
    await page.getByText('told by chat').waitFor()
    await page.getByText('quiet from 22:00 to 06:00').waitFor()
    await page.getByText('Add somebody').click()
    const form = page.locator('form', { has: page.getByRole('button', { name: 'Add', exact: true }) })
    await form.getByLabel('Name').fill('Jörg Müller')
    await page.getByText('Workflows name it joerg_mueller.').waitFor()
    await form.getByLabel(/^Roles/).fill('guard, Owner')
    await form.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Change Ann').click()
    await page
      .getByLabel(/^Roles/)
      .first()
      .fill('owner')
    await other({ people: { eve: { roles: ['guard'] } } })
    await press('Save')
    await page.getByRole('heading', { name: 'was saved meanwhile' }).waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    expect(await judged(page, 'site-meanwhile')).toEqual([])
    await press('Take both')
    await press('Save')
    await saved()
    expect(
      Object.fromEntries(['ann', 'eve', 'joerg_mueller'].map(who => [who, rules().person(who)])),
    ).toEqual({
      ann: ['owner'],
      eve: ['guard'],
      joerg_mueller: ['guard', 'owner'],
    })
    // How she is told stays as the site file says.
    expect(rules().reach.people.get('ann')?.channels.length).toBe(1)
    expect(box.store.audit.list({ limit: 1 })[0]).toMatchObject({ author: 'Ada', target: 'people' })
    await page.getByText('Change Joerg mueller').click()
    await press('Remove Joerg mueller')
    // What was opened stays open.
    await press('As the site file says')
    await page.getByText('as the site file says').waitFor()
    await press('Save')
    await saved()
    expect([rules().person('joerg_mueller'), rules().person('ann')]).toEqual([null, ['guard', 'owner']])
  })

  it('what was set elsewhere meanwhile, and is another part, is no reason to ask', async () => {
    await open('/site/people')
    await page.getByText('Change north').click()
    await page
      .locator('details[open]')
      .getByLabel(/^Roles/)
      .fill('gate, front')
    const { people = {} } = box.rules.view().set as { people?: object }
    await other({ people, facts: 'Bob was here.' })
    await press('Save')
    await saved()
    expect([rules().rolesOf('north'), rules().facts]).toEqual([['gate', 'front'], 'Bob was here.'])
  })

  it('lists: 10,000 entries are searched at once, changed, kept over a reload and not lost to others', async () => {
    const many = Array.from({ length: 9_998 }, (_, i) => `B-AA ${1000 + i}`)
    await lists('big', many)
    await open('/site/lists/big')
    await page.getByText('100 of 9998 are shown').waitFor()
    expect(await page.locator('.list-entries li').count()).toBe(100)
    // Looked for as people type it, and shown before the next frame but a few.
    const took = await page.evaluate(async () => {
      const input = document.querySelector<HTMLInputElement>('input[type=search]')
      if (!input) throw new Error('no search')
      const began = performance.now()
      input.value = 'baa10997'
      input.dispatchEvent(new Event('input', { bubbles: true }))
      while (document.querySelectorAll('.list-entries li').length !== 1)
        await new Promise(resolve => requestAnimationFrame(resolve))
      return performance.now() - began
    })
    if (process.env.SHOTS) console.log(`searched 9998 entries in ${Math.round(took)} ms`)
    expect(took).toBeLessThan(500)
    await press('Take off B-AA 10997')
    await page.getByLabel('Look for an entry or a note').fill('')
    await page.getByLabel('Plate or name').fill('K-NEW 1')
    await page.getByLabel('Note, if any').fill('Plumber')
    await page.keyboard.press('Enter')
    await page.getByText('Not saved: +1, −1').waitFor()
    await page.getByLabel('Plate or name').fill('K-NEW 1')
    await page.getByText('That is on the list already.').waitFor()
    await page.reload()
    await page.getByText('Not saved: +1, −1').waitFor()
    await page.getByText('This is what you wrote before').waitFor()
    // Leaving is asked about; what is written is found again.
    await page.getByRole('link', { name: 'All lists' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await press('Stay here')
    await page.getByRole('link', { name: 'All lists' }).click()
    await press('Leave')
    await page.getByRole('link', { name: 'Big' }).click()
    await page.getByText('Not saved: +1, −1').waitFor()
    await page.goBack()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await press('Stay here')
    await lists('big', [...many.slice(1), 'X-BOB 1'])
    await press('Save')
    await page.getByRole('heading', { name: 'was saved meanwhile' }).waitFor()
    await press('Take both')
    await press('Save')
    await saved()
    const entries = box.rules.entries('big') ?? []
    const has = (value: string) => entries.some(it => it.value === value)
    expect([entries.length, has('K-NEW 1'), has('X-BOB 1'), has('B-AA 1000'), has('B-AA 10997')]).toEqual([
      9_998,
      true,
      true,
      false,
      false,
    ])
    expect(entries.find(it => it.value === 'K-NEW 1')?.note).toBe('Plumber')
  }, 60_000)

  it('lists: a file shows what it would change, also when somebody changes it meanwhile; then it is given back', async () => {
    await open('/site/lists/residents')
    await page.getByText('B-AB 123').waitFor()
    const file = page.getByLabel(/^Replace it by a CSV file/)
    const csv = (text: string) =>
      file.setInputFiles({ name: 'new.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    await csv('"')
    await page.getByRole('alert').filter({ hasText: 'Line 1: a quote is opened' }).waitFor()
    await csv('value,note\r\nB-AB 123,Anna\r\nK-A 1,\r\nK-A 1,\r\n')
    const would = page.getByRole('region', { name: 'What new.csv would change' })
    await would.getByText('+1', { exact: true }).waitFor()
    for (const text of ['−1', '1 note', '1 was there twice', '2 entries are on it then.'])
      await would.getByText(text, { exact: true }).waitFor()
    await openAll()
    expect(await judged(page, 'site-csv')).toEqual([])
    expect(rules().list('residents')).toEqual(['B-AB 123', 'K-XY 9'])
    await lists('residents', ['Z 1', 'Z 2'])
    await press('Replace the list')
    await page.getByText('Somebody changed the rules meanwhile').waitFor()
    await would.getByText('−2', { exact: true }).waitFor()
    await press('Replace the list')
    await page.getByText('Replaced: 2 entries are on it.').waitFor()
    expect(box.rules.entries('residents')).toEqual([{ value: 'B-AB 123', note: 'Anna' }, { value: 'K-A 1' }])
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download as CSV' }).click()
    expect((await download).suggestedFilename()).toBe('residents.csv')
    await press('Give it back to the site file')
    await page.getByRole('dialog', { name: 'Give Residents back to the site file?' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Give it back' }).click()
    await page.getByText('K-XY 9').waitFor()
    expect(rules().list('residents')).toEqual(['B-AB 123', 'K-XY 9'])
    await page.goto(`${url}/site/lists`)
    await page.getByText('Make a list').click()
    await page.getByLabel('Name of the list').fill('Expected visitors')
    await press('Go on')
    await page.getByText('Nothing is on this list.').waitFor()
    await page.getByLabel('Plate or name').fill('H 1')
    await page.keyboard.press('Enter')
    await press('Save')
    await saved()
    expect(rules().list('expected_visitors')).toEqual(['H 1'])
  })

  it('facts: counted in words, warned when many, refused when too many, given back', async () => {
    await open('/site/rules')
    const text = page.getByRole('textbox', { name: 'Facts' })
    await text.fill('word '.repeat(250))
    await page.getByText('250 of 300 words Many').waitFor()
    await text.fill('word '.repeat(301))
    await page.getByText('301 of 300 words').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await text.fill('Deliveries come at ten.')
    await other({ ...box.rules.view().set, facts: 'They come at nine.' })
    await press('Save')
    await page.getByRole('heading', { name: 'was saved meanwhile' }).waitFor()
    await page.locator('.diff').getByText('They come at nine.').waitFor()
    await press('Go on with mine')
    await press('Save')
    await saved()
    expect(rules().facts).toBe('Deliveries come at ten.')
  })

  it('modes and what AI may use are set, the mode now is asked about first', async () => {
    await open('/site/rules')
    await page.getByLabel('Another mode').fill('Holiday')
    await page.keyboard.press('Enter')
    await press('Move Holiday up')
    await press('Save')
    await saved()
    expect(rules().modes).toEqual(['disarmed', 'armed_home', 'holiday', 'armed_away'])
    await page.getByLabel('Search footage').selectOption({ label: 'After a person agreed' })
    await press('Save')
    await page
      .getByText(/^Saved as version/)
      .last()
      .waitFor()
    await expect.poll(() => rules().toolMode('search_footage')).toBe('ask')
    await page.reload()
    await page.getByRole('radio', { name: 'Armed away' }).check()
    const dialog = page.getByRole('dialog', { name: 'Set the site to “Armed away”?' })
    await dialog.waitFor()
    expect(await judged(page, 'site-mode')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('radio', { name: 'Disarmed', checked: true }).waitFor()
    await page.getByRole('radio', { name: 'Armed away' }).check()
    await press('Set it')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: 'Armed away', checked: true }).waitFor()
    expect(box.store.meta.get('site_mode')).toBe('armed_away')
    expect(box.store.audit.list({ limit: 1 })[0]).toMatchObject({ author: 'Ada', action: 'site.mode' })
  })

  it('versions: who changed what, and what was set comes back after it was looked at', async () => {
    await open('/site/rules')
    await page.getByText('Who changed which rules').click()
    const versions = page.locator('.versions > ol > li')
    await versions.filter({ hasText: 'site.yaml' }).filter({ hasText: 'First start' }).waitFor()
    await versions.filter({ hasText: 'Bob' }).first().waitFor()
    const facts = versions.filter({ hasText: /^\s*Version \d+.*Ada\s*Facts/ }).first()
    await facts.getByText('What it changed').click()
    await facts.locator('del').getByText('They come at nine.').waitFor()
    await facts.locator('ins').getByText('Deliveries come at ten.').waitFor()
    expect(await judged(page, 'site-versions')).toEqual([])
    await versions.filter({ hasText: 'First start' }).getByRole('button').click()
    const dialog = page.getByRole('dialog', { name: 'Set what was set in version 1?' })
    await dialog.getByText('Deliveries come at ten.').waitFor()
    await other({ ...box.rules.view().set, facts: 'Bob again.' })
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'by now' }).waitFor()
    await page.keyboard.press('Escape')
    await versions.filter({ hasText: 'First start' }).getByRole('button').click()
    await dialog.getByRole('button', { name: 'Roll back' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect([rules().facts, rules().list('big'), rules().modes.length]).toEqual([
      'The gate opens inward.',
      null,
      3,
    ])
    const text = page.getByRole('textbox', { name: 'Facts' })
    await expect.poll(() => text.inputValue()).toBe('The gate opens inward.')
  })

  it('destinations: said what each does and what a try does, tried, added, changed and given back', async () => {
    await open('/site/destinations')
    const line = (name: string) => page.locator('#destinations ~ .entries > li', { hasText: name })
    await line('Horn').getByText('Nothing will be sent there:').waitFor()
    await line('Horn').getByText('A try sends nothing').waitFor()
    await line('Lamp state').getByText('topic house/lamp').waitFor()
    await page.locator('#apps ~ .entries').getByText('open: Moves something').waitFor()
    await line('Chat').getByRole('button', { name: 'Try Chat' }).click()
    await page.getByText('It answered 204.').waitFor()
    expect(heard).toEqual(['POST /chat'])
    await page.locator('#channels ~ .entries').getByText('A try sends a test message to everybody').waitFor()
    await page.locator('#channels ~ .entries').getByRole('button', { name: 'Try Chat' }).click()
    await page.getByText('A test message went out to one place.').waitFor()
    await page.getByText('Add a destination').click()
    const form = page.locator('form', { has: page.getByLabel('Method') })
    await page.getByLabel('Name').fill('Lamp')
    await page.getByLabel('Address, or topic on the MQTT broker').fill('http://127.0.0.1:9/lamp')
    await form.getByLabel('Moves something').check()
    await form.getByRole('button', { name: 'Add' }).click()
    await page.getByText('Change Chat').click()
    await line('Chat').getByLabel('Answers a question').check()
    await other({ destinations: { bell: { url: 'http://127.0.0.1:9/bell', class: 'tell' } } })
    await press('Save')
    await page.getByRole('heading', { name: 'was saved meanwhile' }).waitFor()
    await press('Take both')
    await press('Save')
    await saved()
    expect(rules().destinations.map(({ name, class: effect }) => [name, effect])).toEqual([
      ['chat', 'read'],
      ['horn', 'move'],
      ['bell', 'tell'],
      ['lamp', 'move'],
    ])
    expect(rules().destination('chat')?.url.pathname).toBe('/chat')
    await page.getByText('Change Lamp', { exact: true }).click()
    const where = line('Lamp').last().getByLabel('Address, or topic on the MQTT broker')
    await where.fill('http://me:pw@127.0.0.1:9/other')
    await press('Save')
    await page.getByRole('alert').filter({ hasText: 'holds credentials' }).waitFor()
    await where.fill('http://127.0.0.1:9/other')
    await press('Save')
    await saved()
    expect(rules().destination('lamp')).toMatchObject({
      url: new URL('http://127.0.0.1:9/other'),
      class: 'move',
    })
  })

  it('whoever may not change the rules sees cameras, sets the mode where all are theirs, and is told why not', async () => {
    await enter('Olga')
    await page.goto(`${url}/site`)
    await page.getByRole('radio', { name: 'Disarmed' }).check()
    await press('Set it')
    await expect.poll(() => box.store.meta.get('site_mode')).toBe('disarmed')
    expect(await page.getByRole('link', { name: 'Lists' }).count()).toBe(0)
    await page.goto(`${url}/site/lists`)
    await page.getByText('An admin may look at this and change it.').waitFor()
    await enter('Bound')
    await page.goto(`${url}/site`)
    await page.getByText('Operators and admins who see all cameras may set another.').waitFor()
    expect(await page.getByRole('radio').count()).toBe(0)
    const refused = await page.evaluate(() =>
      fetch('/api/v1/system/mode', {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: '{"mode":"armed_away"}',
      }).then(async response => [response.status, ((await response.json()) as { code: string }).code]),
    )
    expect(refused).toEqual([403, 'out_of_scope'])
  })
})
