/** The screens by which the box is kept in order, before a real process: it is left in safe mode, restored, and forgets. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { folder, sample, serve } from '../cli/gatehouse.ts'
import { hasBrowser, judged, openBrowser } from './browser.ts'

const PASSPHRASE = 'correct horse battery'
const WORKFLOW = `contract: workflow.v1
name: Plates
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { webhook: {} }
then: [ log: "seen {plate}" ]
`

let data = ''
let box: Awaited<ReturnType<typeof serve>>
let browser: Browser
let page: Page
let hook = ''
const complaints: string[] = []

async function call(method: string, path: string, body?: string | FormData, type = 'application/json') {
  const headers = typeof body === 'string' ? { 'content-type': type } : {}
  const answer = await fetch(box.url + path, { method, headers, ...(body !== undefined && { body }) })
  return await answer.json()
}

async function sees(plate: string): Promise<number> {
  const form = new FormData()
  form.set('picture', new Blob([readFileSync(sample('dog.jpg'))], { type: 'image/jpeg' }), 'dog.jpg')
  form.set('event', JSON.stringify({ plate }))
  const { run } = await call('POST', hook, form)
  for (;;) if ((await call('GET', `/api/v1/runs/${run}`)).ended_at) return run
}

const free = () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  server.stop(true)
  return String(port)
}

describe.skipIf(!hasBrowser)('a box that is kept in order', () => {
  beforeAll(async () => {
    if (process.env.SHOTS) mkdirSync(process.env.SHOTS, { recursive: true })
    data = folder()
    writeFileSync(join(data, 'site.yaml'), 'time_zone: Europe/Berlin\ncameras:\n  yard: { name: Yard }\n')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const starts = { starts: 4, boot, last: '2026-11-30T03:00:00Z', said: 'No room for the models.' }
    writeFileSync(join(data, 'starts.json'), JSON.stringify(starts))
    ;[box, browser] = await Promise.all([
      serve(['--data', data, '--no-demo', '--port', free()]),
      openBrowser(),
    ])
    page = await browser.newPage({ reducedMotion: 'reduce', acceptDownloads: true })
    page.setDefaultTimeout(20_000)
    page.on('pageerror', error => complaints.push(error.message))
    page.on('console', message => {
      // What the browser itself says of a box that is away, or that refuses.
      if (!/status of [45]\d\d|ERR_/.test(message.text())) complaints.push(message.text())
    })
  }, 90_000)
  afterAll(async () => {
    await browser?.close()
    await box?.stop('SIGKILL')
  })
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([])
  })

  it('says on every view that it is in safe mode and why, and leaves it at a press', async () => {
    await page.goto(`${box.url}/box`)
    await page.getByText('The last one said: No room for the models.').waitFor()
    await page.getByRole('heading', { name: 'Right now' }).waitFor()
    expect(await judged(page, 'safe')).toEqual([])
    await page.goto(box.url)
    await page.getByRole('button', { name: 'Try again now' }).press('Enter')
    await page.locator('#safe').waitFor({ state: 'detached' })
    expect((await fetch(`${box.url}/ready`)).status).toBe(200)
    const { workflow } = await call('POST', '/api/v1/workflows', WORKFLOW, 'text/yaml')
    hook = workflow.hook
  }, 90_000)

  it('shows how it is, and its log as it grows', async () => {
    await page.goto(`${box.url}/box`)
    await page.getByText(/GB in use|MB in use|of .* in use/).waitFor()
    await page
      .locator('dt', { hasText: 'Engine' })
      .locator('..')
      .getByText(/^running, \d+/)
      .waitFor()
    await page.getByText('Lines of the log').click()
    const log = page.getByRole('list', { name: 'Lines of the log' })
    await log.getByText('the page is up').last().waitFor()
    // What happens meanwhile comes by itself.
    writeFileSync(join(data, 'site.yaml'), 'time_zone: Europe/Berlin\ncameras:\n  yard: { name: The yard }\n')
    await log.getByText('the site file was read anew').waitFor()
    await page.getByLabel('Text in it').fill('SITE FILE')
    await log.getByText('the page is up').first().waitFor({ state: 'detached' })
    await log.getByText('the site file was read anew').waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('gatehouse.log')
    expect(readFileSync(await file.path(), 'utf8')).toContain('the site file was read anew')
    const [help] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Make the file' }).click(),
    ])
    expect(help.suggestedFilename()).toBe('gatehouse-support.tar.gz')
    await page.getByText('Downloaded: look through it before you send it.').waitFor()
    await page.getByText('Make a backup').click()
    await page.getByText('Restore a backup').click()
    expect(await judged(page, 'box')).toEqual([])
  }, 90_000)

  it('makes a backup, and becomes it again', async () => {
    await sees('B-AB 123')
    await page.goto(`${box.url}/box`)
    await page.getByText('Make a backup').click()
    await page.getByLabel('Passphrase, at least').fill('short')
    await page.getByRole('button', { name: 'Make and download' }).click()
    await page.getByText('at least 12 characters.').waitFor()
    await page.getByLabel('Passphrase, at least').fill(PASSPHRASE)
    const [made] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Make and download' }).click(),
    ])
    expect(made.suggestedFilename()).toMatch(/^gatehouse-box_\w+-\w+\.tar\.age$/)
    const file = join(data, '..', `${made.suggestedFilename()}`)
    await made.saveAs(file)
    await page.getByText('by this machine').waitFor()

    const after = await sees('K-XY 9')
    await page.getByText('Restore a backup').click()
    await page.getByLabel('File of the backup').setInputFiles(file)
    await page.getByRole('button', { name: 'Send and look at it' }).click()
    await page.getByLabel('Its passphrase').fill('something else entirely')
    await page.getByRole('button', { name: 'Open it' }).click()
    await page.getByText('does not open this backup').waitFor()
    await page.getByLabel('Its passphrase').fill(PASSPHRASE)
    await page.keyboard.press('Enter')
    await page.getByText('this one', { exact: true }).waitFor()
    await page.getByText('are in it', { exact: true }).waitFor()
    expect(await judged(page, 'restore')).toEqual([])
    await page.getByRole('button', { name: 'Become this' }).click()
    await page.getByRole('heading', { name: 'Replace this box by the backup?' }).waitFor()
    expect(await judged(page, 'restore-sure')).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Become this' }).press('Enter')
    // It comes back by itself, and moves nothing until somebody has looked.
    await page.locator('#paused').waitFor({ timeout: 60_000 })
    expect((await fetch(`${box.url}/api/v1/runs/${after}`)).status).toBe(404)
    await page.getByText('another state of the box took its place').waitFor()
  }, 120_000)

  it('forgets a plate once what would go was seen', async () => {
    await call('PUT', '/api/v1/system/pause', JSON.stringify({ paused: false }))
    const mine = await sees('M-QX 42')
    await sees('M-OK 1')
    await page.goto(`${box.url}/site/privacy`)
    await page.getByLabel('Plate, however it is written').fill('mqx42')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'What would go' }).waitFor()
    await page
      .locator('dt', { hasText: /^Runs$/ })
      .locator('..')
      .getByText('1', { exact: true })
      .waitFor()
    expect(await judged(page, 'forget')).toEqual([])
    await page.getByRole('button', { name: 'Forget for good' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Plate mqx42').waitFor()
    expect(await judged(page, 'forget-sure')).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect((await fetch(`${box.url}/api/v1/runs/${mine}`)).status).toBe(200)
    await page.getByRole('button', { name: 'Forget for good' }).click()
    await dialog.getByRole('button', { name: 'Forget for good' }).click()
    await page.getByRole('heading', { name: 'Forgotten' }).waitFor()
    expect((await fetch(`${box.url}/api/v1/runs/${mine}`)).status).toBe(404)
    await page.getByLabel('A span of time').check()
    await page.getByLabel('From').fill('2026-11-01T14:00')
    await page.getByLabel('Until').fill('2026-11-01T14:30')
    await page.getByLabel('Camera').selectOption('yard')
    await page.getByRole('button', { name: 'Look what there is' }).click()
    await page.getByText('There is nothing of it among runs and events.').waitFor()
    expect(await judged(page, 'forget-span')).toEqual([])
  }, 90_000)
})
