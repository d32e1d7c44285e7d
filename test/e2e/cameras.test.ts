/** Cameras on the page: seen live, drawn upon by pointer and keys, added, changed and taken away. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { hasBrowser, judged, openBrowser } from './browser.ts'

const PICTURE = readFileSync(resolve(import.meta.dirname, '../../templates/cases/pictures/person.jpg'))

describe.skipIf(!hasBrowser)('cameras on the page', () => {
  let dataDir: string
  let box: Appliance
  let browser: Browser
  let page: Page
  let url: string
  let camera: ReturnType<typeof Bun.serve>
  let asked = 0
  let isUp = true
  const complaints: string[] = []

  beforeAll(async () => {
    camera = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: request => {
        if (!isUp) return new Response('', { status: 503 })
        if (new URL(request.url).pathname === '/open') {
          asked++
          return new Response(PICTURE)
        }
        return request.headers.get('authorization') === `Basic ${btoa('box:right one')}`
          ? new Response(PICTURE)
          : new Response('', { status: 401, headers: { 'www-authenticate': 'Basic realm="c"' } })
      },
    })
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-cameras-'))
    const yaml = `cameras:
  north: { name: North gate, roles: [gate], source: { snapshot: "http://127.0.0.1:${camera.port}/open" } }
  away: { name: Old barn, roles: [barn], source: { snapshot: "http://127.0.0.1:9/" } }
`
    const site = Site.load(yaml, join(dataDir, 'site.yaml'))
    box = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
    url = ((await box.start()).url ?? '').replace(/\/$/, '')
    browser = await openBrowser()
    page = await browser.newPage({ reducedMotion: 'reduce', viewport: { width: 360, height: 800 } })
    page.setDefaultTimeout(20_000)
    page.on('pageerror', error => complaints.push(error.message))
    page.on('console', message => {
      // The browser itself reports what was refused.
      if (message.type() === 'error' && !/status of (4|5)\d\d/.test(message.text()))
        complaints.push(message.text())
    })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await box?.stop()
    await camera?.stop(true)
    rmSync(dataDir, { recursive: true, force: true })
  })

  const open = (path: string) => page.goto(`${url}${path}`)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const shows = (text: string | RegExp) => page.getByText(text).first().waitFor()
  const rules = () => box.rules.view()
  const masks = () => rules().in_force.cameras.find(each => each.camera === 'north')?.masks ?? {}

  it('are shown live, with what is wrong in words; once for everybody who looks', async () => {
    await open('/site/cameras')
    await page.getByRole('img', { name: 'What North gate shows now' }).waitFor()
    await shows(/camera away/)
    expect(asked).toBe(1)
    expect(await judged(page, 'cameras')).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
  }, 60_000)

  it('have zones and masks drawn by keys alone, undone, named and saved', async () => {
    await open('/site/cameras/north')
    await button('Add a zone').click()
    const first = button(/^Corner 1 of 4: 35 % from the left, 35 % from the top/)
    await first.focus()
    for (let i = 0; i < 7; i++) await page.keyboard.press('Shift+ArrowLeft')
    await button(/^Corner 1 of 4: 0 % from the left, 35 %/).waitFor()
    await page.keyboard.press('Insert')
    await button(/^Corner 5 of 5/).waitFor()
    await page.keyboard.press('Delete')
    await button(/^Corner 4 of 4/).waitFor()
    await button('Undo').click()
    await button(/^Corner 5 of 5/).waitFor()
    await page.getByRole('textbox', { name: 'Name of zone-1' }).fill('Front lawn')
    await page.keyboard.press('Tab')
    await button('Change front-lawn').waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await shows('Saved, and in force.')
    expect(box.rules.site.zone('north', 'front-lawn')).toHaveLength(5)
    expect(box.rules.site.zone('north', 'front-lawn')?.[0]).toEqual([0, 0.35])
    expect(rules().by).toBeTruthy()
  }, 60_000)

  it('have a corner pulled by a pointer; a draft outlives a reload', async () => {
    await button('Add a mask').click()
    const corner = button(/^Corner 3 of 4/)
    await page.locator('.canvas').scrollIntoViewIfNeeded()
    const [from, still] = [await corner.boundingBox(), await page.locator('.canvas').boundingBox()]
    if (!from || !still) throw new Error('nothing is drawn')
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(still.x + still.width * 0.9, still.y + still.height * 0.8, { steps: 4 })
    await page.mouse.up()
    await button(/^Corner 3 of 4: 90 % from the left, 80 % from the top/).waitFor()
    page.once('dialog', dialog => dialog.accept())
    await page.reload()
    await button('Change mask-1').click()
    await button(/^Corner 3 of 4: 90 %/).waitFor()
    expect(await judged(page, 'camera')).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await shows('Saved, and in force.')
    expect(Object.keys(masks())).toEqual(['mask-1'])
  }, 60_000)

  it('lose nothing where somebody else draws meanwhile', async () => {
    const triangle = [
      [0, 0],
      [0.2, 0],
      [0, 0.2],
    ]
    await button('Add a mask').click()
    await box.rules.putPart('masks', { north: { 'mask-1': triangle } }, 'Bea', null)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await shows(/Bea changed what is drawn here/)
    expect(Object.keys(masks())).toEqual(['mask-1'])
    await button('Save mine over it').click()
    await shows('Saved, and in force.')
    expect(Object.keys(masks())).toEqual(['mask-1', 'mask-2'])
    // Of another camera: that is no matter here.
    await box.rules.putPart('zones', { ...(rules().set.zones as object), away: { a: triangle } }, 'Bea', null)
    await button('Remove mask-2').click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await shows('Saved, and in force.')
    expect([Object.keys(masks()), box.rules.site.zone('away', 'a')]).toEqual([['mask-1'], triangle])
  }, 60_000)

  it('have a corner pulled by a finger, and are given back to the site file', async () => {
    await button('Change mask-1').click()
    await page.locator('.canvas').scrollIntoViewIfNeeded()
    const [from, still] = [
      await button(/^Corner 2 of 4/).boundingBox(),
      await page.locator('.canvas').boundingBox(),
    ]
    if (!from || !still) throw new Error('nothing is drawn')
    const finger = await page.context().newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number, y: number) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
    await touch('touchStart', from.x + from.width / 2, from.y + from.height / 2)
    await touch('touchMove', still.x + still.width * 0.4, still.y + still.height * 0.1)
    await touch('touchMove', still.x + still.width * 0.5, still.y + still.height * 0.2)
    await touch('touchEnd', 0, 0)
    await button(/^Corner 2 of 4: 50 % from the left, 20 % from the top/).waitFor()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await shows('Saved, and in force.')
    expect(masks()['mask-1']?.[1]?.[0]).toBeCloseTo(0.5, 1)
    await button('As site.yaml says').last().click()
    await expect.poll(masks).toEqual({})
  }, 60_000)

  it('are added once they gave a picture, and the password is seen by nobody', async () => {
    await open('/site/cameras/~new')
    await page.getByLabel('Name', { exact: true }).fill('Back yard')
    await page.getByLabel('Where its pictures come from').selectOption('snapshot')
    await page.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${camera.port}/locked`)
    await page.getByRole('textbox', { name: 'User' }).fill('box')
    await page.getByLabel('Password').fill('wrong one')
    await button('Try it').click()
    await shows(/refused its user or password|401/)
    expect(await judged(page, 'camera-form')).toEqual([])
    await page.getByLabel('Password').fill('right one')
    await button('Try it').click()
    await page.getByRole('img', { name: 'What the camera shows' }).waitFor()
    await button('Add it').click()
    await page.getByRole('heading', { name: 'Back yard' }).waitFor()
    await page.getByRole('img', { name: 'What Back yard shows now' }).waitFor()
    const said = await (await fetch(`${url}/api/v1/site-rules`)).text()
    expect(said).toContain('back-yard')
    expect(said + (await page.content())).not.toContain('right one')
  }, 60_000)

  it('are changed, and taken away once that was meant', async () => {
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Garden')
    await button('Try it').click()
    await shows('It works.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Garden', exact: true }).waitFor()
    await page.getByLabel('Roles, by which workflows name it').fill('garden, back')
    await button('Save the roles').click()
    await expect.poll(() => box.rules.site.rolesOf('back-yard')).toEqual(['garden', 'back'])
    await button('Test').click()
    await shows(/It gave a picture/)
    await button('Remove').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('link', { name: 'Add a camera' }).waitFor()
    expect(box.rules.site.camera('back-yard')).toBeNull()
    expect(complaints).toEqual([])
  }, 60_000)

  it('say in the list why one gives no picture', async () => {
    isUp = false
    await open('/site/cameras')
    await shows(/camera north answered 503/)
  }, 60_000)
})
