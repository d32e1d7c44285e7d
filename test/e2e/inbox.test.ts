import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/index.ts'
import type { ApprovalView } from '../../src/engine/index.ts'
import { type Box, startBox, stepView, workflowView } from '../web/box.ts'
import { faintTexts, hasBrowser, openBrowser } from './browser.ts'

const EVIL = '<img src=x onerror="document.title=\'broken in\'">'

const letIn: ApprovalView['replies'][number] = {
  reply: 'Let in',
  default: false,
  effects: [
    {
      path: 'then[0]["Let in"][0]',
      effect: 'move',
      action: 'webhook',
      target: 'gate',
      detail: '{"action":"open"}',
      certain: true,
    },
  ],
}
const refuse = { reply: 'Refuse', default: true, effects: [] }

let box: Box
let browser: Browser
let page: Page
const complaints: string[] = []

const ask = (change: Partial<ApprovalView> = {}) =>
  box.engine.ask({
    run: 1,
    workflow: { id: 1, slug: 'gate-concierge', name: 'Gate concierge' },
    camera: 'gate',
    camera_name: 'Main gate',
    message: `GH 26: ${EVIL}?`,
    parts: [
      { text: 'GH 26: ', by_ai: false },
      { text: EVIL, by_ai: true },
      { text: '?', by_ai: false },
    ],
    by_ai: true,
    replies: [letIn, refuse],
    pictures: [1],
    asked_at: new Date().toISOString(),
    deadline: new Date(Date.now() + 60_000).toISOString(),
    left_ms: 60_000,
    ...change,
  })

async function open(path: string, width = 1280, colorScheme: 'light' | 'dark' = 'light') {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.goto(`http://localhost:${box.port}${path}`)
  await page.getByText('Live', { exact: true }).waitFor()
}

describe.skipIf(!hasBrowser)('questions on the page', () => {
  beforeAll(async () => {
    box = await startBox(0, systemClock)
    browser = await openBrowser()
    page = await browser.newPage()
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    const canvas = { width: 640, height: 400, channels: 3 as const, background: '#7a8' }
    box.pictures.set(1, { bytes: await sharp({ create: canvas }).png().toBuffer(), type: 'image/png' })
    const gate = workflowView(1, { name: 'Gate concierge', state: 'on' })
    box.engine.all.set(1, gate)
    const summary = { decision: 'delivery', reason: 'a van', camera: 'gate', picture: 1 }
    const view = {
      status: 'waiting' as const,
      steps: [stepView(0, { kind: 'ask_person', status: 'waiting' })],
    }
    box.engine.add(gate, { summary, view })
  }, 60_000)
  beforeEach(() => box.engine.questions.clear())
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await box?.stop()
  })

  it('show what is asked, by whom it was written, and what each reply does', async () => {
    ask()
    await open('/')
    const card = page.locator('.asking')
    const text = (await card.allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ')
    expect(text).toContain('Gate concierge Main gate asks guard')
    expect(text).toContain(`GH 26: ${EVIL}?`)
    expect(await card.locator('.ai').allInnerTexts()).toEqual([EVIL])
    const replies = await card.getByRole('button').allInnerTexts()
    expect(replies.map(reply => reply.replaceAll(/\s+/g, ' '))).toEqual([
      'Let in Moves Call a webhook: gate {"action":"open"}',
      'Refuse Moves nothing Counts if nobody answers',
    ])
    const image = card.locator('img')
    await expect.poll(() => image.evaluate(it => (it as HTMLImageElement).naturalWidth)).toBe(640)
    expect(await page.title()).toBe('Gatehouse')
  })

  it('stand beside calls: who is called, who took it, what was said, and why nothing came of it', async () => {
    const inputs = { who: ['role:guard'], goal: EVIL, outcomes: ['expected'], timeout: '2m' }
    const call = { kind: 'call', inputs }
    const run = box.engine.add(workflowView(1, { name: 'Gate concierge', state: 'on' }), {
      summary: { decision: 'expected', reason: 'a parcel' },
      view: {
        steps: [
          stepView(0, { ...call, status: 'waiting', ms: null }),
          stepView(1, {
            ...{ ...call, outcome: 'expected', fields: { code: EVIL, urgent: true }, reason: 'a parcel' },
            result: { answer: 'expected', answered_by: 'Ann', call: 'x' },
          }),
          stepView(2, {
            ...{ ...call, outcome: 'no_answer' },
            result: { answer: null, answered_by: '', code: 'timeout', message: 'Nothing came of it.' },
          }),
          stepView(3, {
            ...{ ...call, outcome: 'no_answer', status: 'would_have' },
            result: { answer: null, answered_by: '', would_call: ['role:guard'] },
          }),
        ],
      },
    })
    await open(`/runs/${run.id}`)
    await page.getByRole('heading', { name: 'Expected' }).waitFor()
    const steps = await page.locator('.steps > li').allTextContents()
    const words = steps.map(text => text.replaceAll(/\s+/g, ' '))
    for (const text of words) expect(text).toContain(`role:guard: ${EVIL}`)
    expect(words).toEqual([
      expect.stringMatching(/Call ?Waiting/),
      expect.stringMatching(/Call ?Expected.*a parcel.*Code<img.*Urgentyes.*Not measured.*Taken by Ann/),
      expect.stringMatching(/Call ?No answer.*Nothing came of it\./),
      expect.stringMatching(/Would have: Call ?No answer.*In Test nobody is called\./),
    ])
    expect(await page.getByRole('button', { name: /Right|Wrong/ }).count()).toBe(2)
  })

  it('stand beside a stop: it is shown at once, and the button is gone', async () => {
    const view = { status: 'running' as const, ended_at: null }
    const run = box.engine.add(workflowView(1, { name: 'Gate concierge', state: 'on' }), { view })
    const { promise, resolve } = Promise.withResolvers<void>()
    const { stopRun } = box.engine
    box.engine.stopRun = async id => {
      await promise
      return stopRun(id)
    }
    await open(`/runs/${run.id}`)
    const button = page.getByRole('button', { name: 'Stop this run' })
    await button.click()
    await page.getByText('Stopping: the step that is going on').waitFor()
    expect(await button.count()).toBe(0)
    resolve()
    await page.getByText('Stopped', { exact: true }).waitFor()
    expect(await page.getByText('Stopping:').count()).toBe(0)
    const other = box.engine.add(workflowView(1), { view: { ...view, stopping: true } })
    await open(`/runs/${other.id}`)
    await page.getByText('Stopping: the step that is going on').waitFor()
    box.engine.stopRun = stopRun
  })

  it('count down, second by second, and take no answer behind their time', async () => {
    ask({ deadline: new Date(Date.now() + 3_000).toISOString(), left_ms: 3_000 })
    await open('/')
    const seen = new Set<string>()
    const timer = page.getByRole('timer')
    await expect
      .poll(
        async () => {
          seen.add((await timer.textContent())?.trim() ?? '')
          return seen.has('Time is up')
        },
        { timeout: 6_000, interval: 100 },
      )
      .toBe(true)
    expect(seen).toContain('1 s left')
    expect(await page.getByRole('button', { name: /^Let in/ }).isDisabled()).toBe(true)
  })

  it('come while the page is open, are answered by one tap, and then say who and when', async () => {
    await open('/')
    expect(await page.locator('.inbox').count()).toBe(0)
    const { id } = ask()
    await page.getByText('1 open').waitFor()
    await page.getByRole('button', { name: /^Let in/ }).click()
    const answered = page.getByRole('list', { name: 'Answered' })
    await answered.getByText('Let in · this machine').waitFor()
    expect(box.engine.questions.get(id)).toMatchObject({
      answer: 'Let in',
      answered_by: 'this machine',
      identified_by: 'loopback',
    })
    expect(await page.locator('.asking').count()).toBe(0)
  })

  it('say who was faster', async () => {
    const question = ask()
    await open('/')
    await page.getByText('1 open').waitFor()
    // Somebody else answers, and this page has not heard of it yet.
    box.engine.questions.set(question.id, {
      ...question,
      status: 'answered',
      answer: 'Refuse',
      answered_by: 'Bob',
      left_ms: null,
      decided_at: new Date().toISOString(),
    })
    await page.getByRole('button', { name: /^Let in/ }).click()
    await page.getByRole('list', { name: 'Answered' }).getByText('Refuse · Bob').waitFor()
    expect(await page.locator('.asking').count()).toBe(0)
    // The browser itself reports the refused request.
    await expect.poll(() => complaints.length).toBe(1)
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')])
  })

  it('are answered by keyboard on the page of their run', async () => {
    const { id } = ask({ pictures: [] })
    await open('/runs/1')
    const refuses = page.getByRole('button', { name: /^Refuse/ })
    await refuses.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => box.engine.questions.get(id)?.answer).toBe('Refuse')
    await refuses.waitFor({ state: 'detached' })
  })

  it('stand above the workflows on a phone and above the runs on a desk, the most urgent first', async () => {
    ask({ deadline: '2030-01-01T00:00:09Z', message: 'later?', parts: [] })
    ask({ id: 9, deadline: '2030-01-01T00:00:01Z', message: 'sooner?', parts: [] })
    await open('/', 360)
    await page.locator('.message').first().waitFor()
    expect(await page.locator('.message').allInnerTexts()).toEqual(['sooner?', 'later?'])
    const top = async (name: string) => (await page.locator(name).boundingBox())?.y ?? Number.NaN
    expect(await top('.inbox')).toBeLessThan(await top('.all'))
    const left = async (name: string) => (await page.locator(name).boundingBox())?.x ?? Number.NaN
    await page.setViewportSize({ width: 1280, height: 800 })
    expect(await left('.inbox')).toBeGreaterThan(await left('.all'))
    expect(await top('.inbox')).toBeLessThan(await top('.runs'))
  })

  it('fit a phone and a desk, by day and by night', async () => {
    ask()
    ask({
      pictures: [],
      replies: Array.from({ length: 6 }, (_, i) => ({ ...letIn, reply: `${i} ${'long'.repeat(20)}` })),
    })
    for (const path of ['/', '/runs/1']) {
      await open(path)
      await page.locator('.asking').first().waitFor()
      for (const width of [360, 720, 1280])
        for (const colorScheme of ['light', 'dark'] as const) {
          const at = [path, width, colorScheme]
          await page.setViewportSize({ width, height: 800 })
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
          expect([...at, wide <= 0]).toEqual([...at, true])
          expect([...at, await page.evaluate(faintTexts)]).toEqual([...at, []])
        }
    }
  })

  it('do not make the page jump while it loads', async () => {
    ask()
    await open('/')
    const moved = await page.evaluate(
      () =>
        new Promise<number>(resolve => {
          let sum = 0
          new PerformanceObserver(list => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value
          }).observe({ type: 'layout-shift', buffered: true })
          setTimeout(() => resolve(sum), 500)
        }),
    )
    expect(moved).toBeLessThan(0.05)
  })
})

it.each([
  [42_000, '42 s left'],
  [99_999, '100 s left'],
  [180_000, '3 min left'],
  [7_200_000, '2 h left'],
  [0, 'Time is up'],
])('%i ms are “%s”', async (ms, text) => {
  const { left } = await import('../../src/web/page/questions.ts')
  expect(left(ms)).toBe(text)
})
