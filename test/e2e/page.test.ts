import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/core/index.ts'
import { type Box, startBox, stepView, workflowView } from '../web/box.ts'
import { faintTexts, hasBrowser, judged, openBrowser } from './browser.ts'

const WIDTH = 640
const HEIGHT = 400
const EVIL = '<img src=x onerror="document.title=\'broken in\'"><script>document.title="broken in"</script>'

const seen = {
  width: WIDTH,
  height: HEIGHT,
  detections: [
    { label: 'person', score: 0.93, box: [100, 120, 180, 360] },
    { label: 'car', score: 0.61, box: [300, 4, 620, 300] },
    { label: 'truck', score: 0.44, box: [304, 8, 618, 310] },
  ],
  below: {},
  lines: [{ text: `AB 123 ${EVIL}`, confidence: 0.9, quad: [400, 320, 560, 320, 560, 350, 400, 350] }],
  ms: { decode: 1, detect: 2, read: 3 },
  models: { detector: 'd', reader: 'r' },
}

let box: Box
let browser: Browser
let page: Page
const complaints: string[] = []

async function open(path: string, width = 1280, colorScheme: 'light' | 'dark' = 'light') {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.goto(`http://localhost:${box.port}${path}`)
}

describe.skipIf(!hasBrowser)('the page', () => {
  beforeAll(async () => {
    // The page and the stream run in real time here.
    box = await startBox(0, systemClock)
    browser = await openBrowser()
    page = await browser.newPage()
    page.setDefaultTimeout(10_000)
    page.on('console', message => complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
      <rect width="100%" height="100%" fill="#7a8"/><rect x="300" y="4" width="320" height="296" fill="#345"/>
    </svg>`
    box.pictures.set(1, { bytes: await sharp(Buffer.from(svg)).png().toBuffer(), type: 'image/png' })
    const gate = workflowView(1, {
      name: 'Gate concierge',
      description: 'Tells the guard.',
      state: 'test',
      wants_picture: true,
    })
    const yard = workflowView(2, {
      name: EVIL,
      trigger: 'button',
      hook: null,
      state: 'on',
      needs_attention: 'The camera yard is gone: connect it.',
      label: 'Close up the yard',
    })
    box.engine.all.set(1, gate).set(2, yard)
    box.engine.add(gate, {
      summary: { decision: 'delivery', reason: '1 person, 1 car', camera: 'gate', picture: 1 },
      view: {
        pictures: [{ media: 1, step: 0, type: 'image/png', taken_at: null, source: 'upload' }],
        steps: [
          stepView(0, {
            kind: 'ai',
            outcome: 'delivery',
            fields: { people: 1, text: EVIL, open: true },
            reason: '1 person, 1 car',
            confidence: 0.969,
            confidence_source: 'measured',
            rule: 1,
            ms: 412,
            evidence: [{ media: 1, seen }],
          }),
          stepView(1, {
            kind: 'alert',
            status: 'would_have',
            inputs: { severity: 'low', title: `Van ${EVIL}` },
          }),
          stepView(2, {
            kind: 'webhook',
            status: 'failed',
            result: { message: 'The siren did not answer.' },
          }),
        ],
      },
    })
  }, 60_000)
  afterEach(() => {
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await box?.stop()
  })

  it('says who can open it, what the workflows are, and what they did', async () => {
    await open('/')
    await page.getByText('Open on this machine only: no login yet.').waitFor()
    await page.getByText('Needs attention').waitFor()
    await page.getByText('The camera yard is gone: connect it.').waitFor()
    await page.getByRole('group', { name: 'State of Gate concierge' }).waitFor()
    const run = page.getByRole('link', { name: /Delivery.*Test.*1 person, 1 car.*gate.*Gate concierge/ })
    // 12:00 UTC at a site in Berlin.
    expect(await run.locator('time').textContent()).toMatch(/13:00:00$/)
    expect(await page.title()).toBe('Gatehouse')
  })

  it('shows what happens while it is open', async () => {
    await open('/')
    await page.getByText('Live', { exact: true }).waitFor()
    box.engine.add(workflowView(1, { name: 'Gate concierge' }), {
      summary: { decision: 'cab', reason: 'a taxi' },
    })
    await page.locator('.runs > li:first-child').getByText('Cab').waitFor()
    await box.engine.setState(2, 'off')
    await page.locator('input[name=state-2][value=off]:checked').waitFor({ state: 'attached' })
  })

  it('switches a workflow by keyboard', async () => {
    await open('/')
    const { setState } = box.engine
    const asked: string[] = []
    const gate = Promise.withResolvers<void>()
    box.engine.setState = async (id, state) => {
      asked.push(state)
      if (state === 'off') await gate.promise
      return setState.call(box.engine, id, state)
    }
    const group = page.getByRole('group', { name: 'State of Gate concierge' })
    const chosen = (name: string) => group.getByRole('radio', { name, checked: true }).waitFor()
    await box.engine.setState(1, 'test')
    await page.locator('input[name=state-1][value=test]').focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => asked).toEqual(['test', 'off'])
    // While the box has not answered, keys count from where the switch stands.
    await chosen('Off')
    await page.keyboard.press('ArrowRight')
    await chosen('Test')
    gate.resolve()
    await expect.poll(() => asked).toEqual(['test', 'off', 'test'])
    await page.locator('.card:has(input[name=state-1]) .switch[aria-busy=false]').waitFor()
    await page.keyboard.press('ArrowRight')
    // On is asked about before anything is done.
    await page.getByRole('dialog').getByRole('button', { name: 'Switch On' }).click()
    await expect.poll(() => box.engine.all.get(1)?.state).toBe('on')
    await chosen('On')
    await box.engine.setState(1, 'test')
    box.engine.setState = setState
  })

  it('draws boxes and texts where they are in the picture, and takes them away', async () => {
    for (const width of [360, 1280]) {
      await open('/runs/1', width)
      const image = page.locator('.frame > img')
      await expect
        .poll(() => image.evaluate(it => (it as HTMLImageElement).naturalWidth), { timeout: 15000 })
        .toBe(WIDTH)
      const [frame, person] = await Promise.all([
        image.boundingBox(),
        page.locator('rect.box').first().boundingBox(),
      ])
      if (!frame || !person) throw new Error('nothing was drawn')
      const scale = frame.width / WIDTH
      expect(frame.height / HEIGHT).toBeCloseTo(scale, 1)
      // The stroke adds to the box that the browser reports.
      expect(Math.abs(person.x - frame.x - 100 * scale)).toBeLessThan(4)
      expect(Math.abs(person.width - 80 * scale)).toBeLessThan(8)
      expect(await page.locator('.word').allTextContents()).toEqual([
        expect.stringContaining('AB 123'),
        'person',
        'car or truck',
      ])
      // The label of a box at the upper edge stays inside the picture.
      const label = await page.locator('.word.object').nth(1).boundingBox()
      expect(label?.y).toBeGreaterThanOrEqual(frame.y)
      await page.getByRole('button', { name: 'Hide marks' }).click()
      expect(await page.locator('.marks').count()).toBe(0)
    }
  })

  it('tells each step in words: sure of what, by which rule, and what it would have done', async () => {
    await open('/')
    await page.getByRole('link', { name: /Delivery/ }).click()
    await page.getByRole('heading', { name: 'Delivery' }).waitFor()
    const steps = await page.locator('.steps > li').allTextContents()
    expect(steps.map(text => text.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/Look at the picture.*412 ms.*People1.*Openyes.*96 % sure, measured.*rule 2/),
      expect.stringMatching(/Would have: Raise an alert.*Van/),
      expect.stringMatching(/Call a webhook.*Failed.*The siren did not answer\./),
    ])
    expect(await page.title()).toBe('Delivery · Gatehouse')
    await page.goBack()
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
  })

  it('takes right and wrong by key and by button', async () => {
    await open('/runs/1')
    await page.getByRole('button', { name: 'Right' }).waitFor()
    await page.keyboard.press('w')
    await page.getByText('Wrong, says this machine').waitFor()
    expect(await page.getByRole('button', { name: 'Wrong' }).getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Right' }).click()
    await page.getByText('Right, says this machine').waitFor()
    expect(box.engine.runViews.get(1)?.marks).toMatchObject([{ right: true }])
    // A browser's own shortcut is no mark.
    await page.keyboard.press('Control+KeyW').catch(() => undefined)
    expect(box.engine.runViews.get(1)?.marks).toMatchObject([{ right: true }])
  })

  it('shows how often a workflow is right, and the way back to a version', async () => {
    const accuracy = [
      { path: 'then[0]', name: EVIL, marks: 20, right: 19, share: 0.95, low: 0.764, high: 0.991 },
    ]
    box.engine.all.set(3, workflowView(3, { name: 'Learned', version: 2, accuracy }))
    await open('/workflows/3')
    await page.getByText('19 of 20 right: 95 % (with 95 % certainty between 76 % and 99 %)').waitFor()
    await page.getByText('Alerts are medium at most: 19 of 20').waitFor()
    await page.getByText('sure: 0.8 would have let 18 of 20 decisions stand, 18 of them right.').waitFor()
    await page.getByText('Versions', { exact: true }).click()
    await page.getByText('Step 1: “Look at the picture” (sure)').waitFor()
    await page.getByRole('button', { name: 'Roll back to version 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
    await expect.poll(() => box.engine.rolledBack).toEqual([{ id: 3, version: 1 }])
    for (const width of [360, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect([width, wide <= 0, await page.evaluate(faintTexts)]).toEqual([width, true, []])
      }
    box.engine.all.delete(3)
  })

  it('tries a workflow with a picture', async () => {
    await open('/workflows/1')
    const bytes = box.pictures.get(1)?.bytes ?? new Uint8Array()
    const file = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(bytes) }
    await page.getByLabel('Choose a picture').setInputFiles(file)
    await page.getByLabel(/Camera/).fill('gate')
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.waitForURL(/\/runs\/\d+$/)
    const event = box.engine.events.at(-1)
    expect(event).toMatchObject({ kind: 'webhook', cameraId: 'gate', pictures: [{ source: 'upload' }] })
    expect(event?.pictures[0]?.bytes.byteLength).toBe(bytes.byteLength)
  })

  it('says why it would not', async () => {
    await open('/workflows/1')
    const file = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('no picture') }
    await page.getByLabel('Choose a picture').setInputFiles(file)
    await page.getByRole('button', { name: 'Run it' }).click()
    const alert = page.getByRole('alert')
    await alert.filter({ hasText: 'The picture is not JPEG, PNG or WebP.' }).waitFor()
    // The browser itself reports the refused request.
    await expect.poll(() => complaints.length).toBe(1)
    expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
    const taken = box.engine.events.length
    await page.locator('input[type=file]').setInputFiles([])
    await page.getByRole('button', { name: 'Run it' }).click()
    await alert.filter({ hasText: 'Choose a picture first' }).waitFor()
    expect(box.engine.events.length).toBe(taken)
    await box.engine.setState(1, 'off')
    const good = { ...file, buffer: Buffer.from(box.pictures.get(1)?.bytes ?? []) }
    await page.locator('input[type=file]').setInputFiles(good)
    await page.getByRole('button', { name: 'Run it' }).click()
    await alert.filter({ hasText: 'No run: The workflow is off.' }).waitFor()
    await box.engine.setState(1, 'test')
  })

  it('has the button of a workflow at hand, with its own words', async () => {
    await open('/')
    await box.engine.setState(2, 'on')
    await page.getByRole('button', { name: 'Close up the yard' }).click()
    await page.getByRole('link', { name: 'Started' }).waitFor()
    expect(box.engine.events.at(-1)).toMatchObject({ kind: 'button', workflowId: 2 })
    expect(new URL(page.url()).pathname).toBe('/')
    await open('/workflows/2')
    await page.getByRole('button', { name: 'Close up the yard' }).waitFor()
  })

  it('has a box to write into, and shows what is answered', async () => {
    const asked = { name: 'Asked', trigger: 'message', hook: null, label: 'What do you want to know?' }
    box.engine.all.set(4, workflowView(4, { ...asked, state: 'on' }))
    await open('/workflows/4')
    await page.getByRole('heading', { name: 'Write to it' }).waitFor()
    await page.getByLabel('What do you want to know?').fill(`Who is there?\n${EVIL}`)
    await page.getByRole('button', { name: 'Send' }).click()
    const talk = page.getByRole('log')
    await talk.locator('.answer').waitFor()
    expect((await talk.locator('.answer').textContent())?.trim()).toBe(`I heard: Who is there?\n${EVIL}`)
    expect(await page.getByLabel('What do you want to know?').inputValue()).toBe('')
    expect(box.engine.events.at(-1)).toMatchObject({
      kind: 'message',
      payload: { from: 'this machine', channel: 'page' },
      by: { by: 'loopback', name: 'this machine' },
    })
    for (const width of [360, 1280])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
        expect([width, wide <= 0, await page.evaluate(faintTexts)]).toEqual([width, true, []])
      }
    await talk.getByRole('link', { name: 'How it came to that' }).click()
    await page.waitForURL(/\/runs\/\d+$/)
    await page.getByText('When a message comes in').waitFor()
    box.engine.all.set(4, { ...workflowView(4, asked), state: 'off' })
    await open('/workflows/4')
    await page.getByLabel('What do you want to know?').fill('Hello?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('No run: The workflow is off.').waitFor()
    box.engine.all.delete(4)
  })

  it('says whether a picture is damaged or gone, and shows no broken one', async () => {
    const broken = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
    box.pictures.set(8, { bytes: broken, type: 'image/jpeg' })
    const shown = (media: number) => ({
      summary: { decision: `media_${media}`, picture: media },
      view: { pictures: [{ media, step: 0, type: 'image/jpeg', taken_at: null, source: 'upload' }] },
    })
    const workflow = workflowView(1)
    const damaged = box.engine.add(workflow, shown(8))
    const gone = box.engine.add(workflow, shown(9))
    await open('/')
    for (const media of [8, 9]) {
      const line = page.getByRole('link', { name: new RegExp(`Media ${media}`) })
      await line.locator('.thumb svg').waitFor()
      expect(await line.locator('img').count()).toBe(0)
    }
    await open(`/runs/${damaged.id}`)
    await page.getByText('The picture is damaged: it cannot be shown.').waitFor()
    await open(`/runs/${gone.id}`)
    await page.getByText('The picture is no longer kept.').waitFor()
    for (const { id } of [damaged, gone]) {
      box.engine.runViews.delete(id)
      box.engine.summaries.delete(id)
    }
    // The browser itself reports what it could not load.
    expect(complaints.splice(0).every(text => text.includes('404'))).toBe(true)
  })

  it('fits a phone and a desk, by day and by night', async () => {
    box.engine.workflowYaml = () => `name: ${'a very long line '.repeat(20)}\n`
    for (const path of ['/', '/runs/1', '/workflows/1', '/workflows/2']) {
      await open(path)
      await page.locator('h2').first().waitFor()
      if (path !== '/') await page.locator('details').last().waitFor()
      await page.evaluate(() => {
        for (const section of document.querySelectorAll('details')) section.open = true
      })
      for (const width of [360, 1280])
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

  it('pauses all moves, has somebody decide about one that is held, and goes on', async () => {
    await open('/', 360)
    await page.getByRole('button', { name: 'Pause moves' }).click()
    const banner = page.getByRole('region', { name: /Moves are paused by this machine/ })
    await banner.waitFor()
    const [since, until] = [new Date(), new Date(Date.now() + 900_000)].map(at => at.toISOString())
    const workflow = { id: 1, slug: 'gate-concierge', name: `Gate ${EVIL}` }
    const inputs = { to: 'barrier', json: 'open' }
    box.engine.hold({
      run: 1,
      step: 3,
      workflow,
      kind: 'webhook',
      inputs,
      since: since ?? '',
      until: until ?? '',
    })
    await banner.getByText('barrier').waitFor()
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
      expect(await page.evaluate(faintTexts)).toEqual([])
    }
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/held.png` })
    await banner.getByRole('button', { name: 'Do it now' }).click()
    await expect.poll(() => box.engine.released).toEqual([[1, true]])
    await banner.getByText('barrier').waitFor({ state: 'detached' })
    await banner.getByRole('button', { name: 'Let moves happen again' }).click()
    await banner.waitFor({ state: 'detached' })
    await page.getByText('Left out since the start: 2 × queue full').waitFor()
  })

  it('snoozes a workflow and wakes it', async () => {
    await open('/workflows/1', 360)
    await page.getByText('Snooze', { exact: true }).click()
    await page.getByRole('button', { name: '8 hours' }).click()
    await page.getByText(/^Snoozed until/).waitFor()
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/snoozed.png` })
    await open('/', 360)
    await page.getByText(/^Snoozed until/).waitFor()
    await open('/workflows/1', 360)
    await page.getByRole('button', { name: 'Wake it' }).click()
    await page.getByText(/^Snoozed until/).waitFor({ state: 'detached' })
  })

  it('does not jump while it loads', async () => {
    for (const path of ['/', '/runs/1']) {
      await open(path)
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
      expect([path, moved < 0.05]).toEqual([path, true])
    }
  })

  it('comes back after the box was away', async () => {
    let own = await startBox(0, systemClock)
    const { port } = own
    own.engine.all.set(1, workflowView(1, { name: 'Before' }))
    await page.goto(`http://localhost:${port}/`)
    await page.getByRole('link', { name: 'Before' }).waitFor()
    await own.stop()
    await page.getByText('Connecting again…').waitFor()
    own = await startBox(port, systemClock)
    own.engine.all.set(1, workflowView(1, { name: 'After' }))
    await page.getByRole('link', { name: 'After' }).waitFor()
    // While it was away the browser could not connect, and says so.
    complaints.splice(0)
    await own.stop()
  })

  it('drafts a workflow out of a sentence, and opens it in the editor, unsaved', async () => {
    const before = box.engine.all.size
    await open('/workflows/new')
    await page.getByLabel('What is it to do?').fill('Tell the guard about vans')
    expect(await judged(page, 'describe')).toEqual([])
    await page.getByRole('button', { name: 'Draft it' }).click()
    await page.getByText('Drafted from: “Tell the guard about vans”.').waitFor()
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.locator('.cm-content').getByText('name: Tell the guard about vans').waitFor()
    expect(box.engine.all.size).toBe(before)
    await open('/workflows/new')
    await page.getByLabel('What is it to do?').fill('down')
    await page.getByRole('button', { name: 'Draft it' }).click()
    await page.getByRole('alert').getByText('Name a model.').waitFor()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('503')])
  })

  it('says of a step what it was given, whom it asked and what came of it; runs lie beside each other', async () => {
    const call = { mode: null, started_at: '2026-11-30T12:00:00Z', tokens_in: null, tokens_out: null }
    const gate = box.engine.all.get(1)
    const run = box.engine.add(gate ?? workflowView(1), {
      view: {
        steps: [
          stepView(0, {
            kind: 'ai',
            outcome: 'delivery',
            inputs: { goal: 'Who is it?', decision: ['delivery', 'unknown'] },
            model: 'qwen',
            tool_calls: [
              {
                ...call,
                id: 1,
                kind: 'model',
                name: 'qwen',
                args_asked: null,
                result: EVIL,
                status: 'ok',
                ms: 900,
                tokens_in: 812,
                tokens_out: 40,
              },
              {
                ...call,
                id: 2,
                kind: 'tool',
                name: 'site_lookup',
                args_asked: { value: 'AB 123' },
                result: { in_lists: [] },
                status: 'ok',
                ms: 3,
              },
              {
                ...call,
                id: 3,
                kind: 'tool',
                name: 'open_gate',
                args_asked: {},
                result: { message: 'There is no such tool.' },
                status: 'refused',
                ms: 0,
              },
            ],
          }),
        ],
      },
    })
    await open(`/runs/${run.id}`)
    await page.getByRole('link', { name: /Older/ }).waitFor()
    await page.getByText(/^Details/).click()
    const details = page.locator('.step-details')
    await details.getByText('Who is it?', { exact: true }).waitFor()
    await details.getByText('delivery, unknown').waitFor()
    expect(await details.locator('.calls > li').allTextContents()).toEqual([
      expect.stringMatching(/The model qwen.*812 tokens in, 40 out/s),
      expect.stringMatching(/Look up at the site.*Value\s*AB 123/s),
      expect.stringMatching(/Open gate\s*Refused/s),
    ])
    await details.getByText('Answer').first().click()
    expect(await judged(page, 'details')).toEqual([])
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(`**/runs/${run.id - 1}`)
  })
})
