/** Links by which one person answers one question: the whole way, from the message to the move. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { AnswerLinks } from '../../src/connect/index.ts'
import { noLog } from '../../src/core/index.ts'
import type { Outgoing } from '../../src/kinds/index.ts'
import { Site } from '../../src/site/index.ts'
import { NtfyServer } from '../connect/channels/ntfy-server.ts'
import { hasBrowser, judged, openBrowser } from '../e2e/browser.ts'
import { browser, claimed, said } from './people.ts'

const workflow = (name: string, who: string, more: string, timeout = '1h') => `contract: workflow.v1
name: ${name}
state: on
when: { webhook: {} }
then:
  - ask_person: { who: "${who}", message: "${name}?", replies: [${more}, "No"], timeout: ${timeout}, default: "No" }
    ${more}: ${more === '"Open"' ? '[ webhook: { to: gate } ]' : '[]'}
`

async function start() {
  const push = new NtfyServer()
  push.token = 'tk_push'
  const bare = new NtfyServer()
  let moved = 0
  // A move goes to another machine, and here is none.
  const outgoing: Outgoing = {
    send: async () => {
      moved++
      return { status: 200, body: '' }
    },
  }
  const site = `
page_url: "https://gate.lan:8088"
people:
  ann: { roles: [guard], channels: [{ via: push, at: ann }, { via: bare, at: ann }] }
  ben: { roles: [host], channels: [{ via: push, at: shared }] }
  cleo: { roles: [host], channels: [{ via: push, at: shared }, { via: push }] }
channels:
  push: { kind: ntfy, url: "${push.url}", token: { secret: push }, topic: house }
  bare: { kind: ntfy, url: "${bare.url}" }
destinations:
  gate: { url: "http://192.0.2.1/open", class: move }
`
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-answer-'))
  mkdirSync(join(dataDir, 'secrets'))
  writeFileSync(join(dataDir, 'secrets', 'push'), 'tk_push\n')
  const loaded = Site.load(site, 'site.yaml')
  const box = new Appliance({ dataDir, resources: resources(), site: loaded, log: noLog, port: 0, outgoing })
  onTestFinished(async () => {
    await box.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const { url } = await box.start()
  const at = { port: Number(new URL(url ?? '').port), access: box.access }
  await claimed(at)
  const stranger = browser(at)
  const heard = (topic: string, from = push) => from.received.filter(each => each.topic === topic).at(-1)
  return {
    ...{ box, port: at.port, push, bare, dataDir, stranger, heard },
    moved: () => moved,
    /** A question is asked; answers with the link that reached that topic. */
    ask: async (yaml: string, topic = 'ann') => {
      const saved = await box.engine.save(yaml)
      if (!('workflow' in saved)) throw new Error(JSON.stringify(saved))
      const known = push.received.length
      await stranger('POST', saved.workflow.hook ?? '')
      await expect.poll(() => push.received.slice(known).some(each => each.topic === topic)).toBe(true)
      return heard(topic)?.click ?? ''
    },
    question: (name: string) => box.engine.approvals().find(each => each.workflow.name === name),
  }
}

const secretOf = (link: string) => /\/answer\/([\w-]+)$/.exec(link)?.[1] ?? ''

describe('a link to answer by', () => {
  test('answers its question as that person, once, and moves what the reply moves', async () => {
    const { ask, stranger, question, moved, box, dataDir } = await start()
    const link = secretOf(await ask(workflow('Gate', 'role:guard', '"Open"')))
    expect(link).toMatch(/^[\w-]{32}$/)

    const page = await stranger('GET', `/answer/${link}`)
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
    expect(await page.text()).not.toContain(link)
    const seen = await (await stranger('POST', '/api/v1/answer/question', { link })).json()
    expect(seen).toMatchObject({ workflow: 'Gate', message: 'Gate?', status: 'open', you: 'ann' })
    expect(question('Gate')?.status).toBe('open')

    for (const body of [{}, { link }, { link, reply: 7 }, { link: 7, reply: 'Open' }])
      expect(await said(stranger('POST', '/api/v1/answer', body))).toEqual([422, 'bad_body'])
    const wrong = { link: `${link.slice(1)}A`, reply: 'Open' }
    expect(await said(stranger('POST', '/api/v1/answer', wrong))).toEqual([404, 'link_unknown'])
    expect(await said(stranger('GET', `/api/v1/runs?link=${link}`))).toEqual([401, 'login_needed'])
    expect(question('Gate')?.status).toBe('open')
    const without = Site.load('people:\n  ben: {}\n', 'site.yaml')
    expect(new AnswerLinks({ site: () => without, store: box.store }).find(link)).toBe(null)

    const answers = await Promise.all(
      Array.from({ length: 3 }, () => said(stranger('POST', '/api/v1/answer', { link, reply: 'Open' }))),
    )
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([, code]) => code === 'already_decided')).toHaveLength(2)
    expect(question('Gate')).toMatchObject({ status: 'answered', answered_by: 'ann', identified_by: 'link' })
    await expect.poll(moved).toBe(1)
    const late = await stranger('POST', '/api/v1/answer', { link, reply: 'No' })
    expect([late.status, ((await late.json()) as { detail: string }).detail]).toEqual([
      409,
      expect.stringContaining('ann answered “Open”'),
    ])
    expect(moved()).toBe(1)
    expect(box.engine.audit({ limit: 50 })).toContainEqual(
      expect.objectContaining({ action: 'question.answer', by: 'ann' }),
    )
    for (const name of readdirSync(dataDir).filter(each => each.startsWith('gatehouse.db')))
      expect([name, readFileSync(join(dataDir, name)).includes(link)]).toEqual([name, false])
  })

  test('opens its own question alone, and says what came of one whose time is up', async () => {
    const { ask, stranger, question } = await start()
    const first = secretOf(await ask(workflow('First', 'person:ann', '"Left"')))
    const second = secretOf(await ask(workflow('Second', 'person:ann', '"Right"')))
    expect(second).not.toBe(first)
    const other = { link: first, reply: 'Right', id: question('Second')?.id }
    expect(await said(stranger('POST', '/api/v1/answer', other))).toEqual([422, 'bad_reply'])
    expect(await said(stranger('POST', '/api/v1/answer', { link: first, reply: 'No' }))).toEqual([200])
    expect(question('Second')?.status).toBe('open')

    const brief = secretOf(await ask(workflow('Brief', 'person:ann', '"Go"', '3s')))
    await expect.poll(() => question('Brief')?.status, { timeout: 10_000 }).toBe('expired')
    const late = await stranger('POST', '/api/v1/answer', { link: brief, reply: 'Go' })
    expect([late.status, await late.text()]).toEqual([409, expect.stringContaining('The time is up')])
  }, 30_000)

  test('goes to one person alone: not to a topic of several, of the house, or that anybody may read', async () => {
    const { ask, heard, bare } = await start()
    expect(await ask(workflow('Shared', 'role:host', '"Go"'), 'shared')).toMatch(/:8088\/runs\/\d+$/)
    await expect.poll(() => heard('house')?.click).toMatch(/:8088\/runs\/\d+$/)
    await ask(workflow('Own', 'role:guard', '"Go"'))
    await expect.poll(() => heard('ann', bare)?.click).toMatch(/:8088\/runs\/\d+$/)
  })

  test.skipIf(!hasBrowser)(
    'opens a page of its own, which forgets the address and answers by a press',
    async () => {
      const { ask, port, question, moved } = await start()
      const link = secretOf(await ask(workflow('Gate', 'role:guard', '"Open"')))
      const chromium = await openBrowser()
      onTestFinished(() => chromium.close())
      const page = await chromium.newPage()
      page.setDefaultTimeout(10_000)
      const complaints: string[] = []
      page.on('pageerror', error => complaints.push(String(error)))
      page.on('console', message => {
        if (message.type() === 'error') complaints.push(message.text())
      })
      const addresses: string[] = []
      page.on('request', request => addresses.push(request.url()))
      await page.goto(`http://localhost:${port}/answer/${link}`)
      await page.getByText('You answer as ann').waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
      expect(await judged(page, 'answer')).toEqual([])
      expect(question('Gate')?.status).toBe('open')
      await page.getByRole('button', { name: /^Open/ }).click()
      await page.getByText('Open · ann').waitFor()
      await expect.poll(moved).toBe(1)
      expect(addresses.filter(each => each.includes(link))).toHaveLength(1)
      expect(complaints).toEqual([])
    },
    60_000,
  )

  test('cannot be guessed: an address with too many wrong ones is kept out', async () => {
    const { box } = await start()
    const from = { address: '192.0.2.7', device: null }
    const tried = async () =>
      box.access.byLink(from, () => null).catch((error: { code: string }) => error.code)
    const codes: unknown[] = []
    for (let n = 0; n < 21; n++) codes.push(await tried())
    expect([codes[0], codes.at(-1)]).toEqual(['link_unknown', 'locked_out'])
    await expect(box.access.byLink(from, () => 'known')).rejects.toMatchObject({ code: 'locked_out' })
    expect(await box.access.byLink({ address: '192.0.2.8', device: null }, () => 'known')).toBe('known')
  })
})
