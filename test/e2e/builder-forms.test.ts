/** Every kind of trigger, step and condition has a form of its own, in a real browser. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse, registry } from '../../src/contract/index.ts'
import { hasBrowser, violations } from './browser.ts'
import { type RealBox, startReal } from './real-box.ts'

const EVERY = `contract: workflow.v1
name: Every kind
state: test
limits: { cooldown: 1m, one_at_a_time: camera }
when:
  event: { schema: plate.recognized.v1, cameras: [gate], where: { plate: { is_not: [A, B] }, confidence: { at_least: 0.5, at_most: 1 } } }
if:
  - time: { from: "22:00", to: "06:00", days: [sat, sun] }
  - site_mode: [armed_away]
  - camera: [gate]
  - value: { of: plate, in: [A, B] }
  - not: { in_list: { list: residents, value: "{plate}" } }
  - any:
      - text_visible: { camera: gate, contains_any: [taxi] }
      - all: [ { site_mode: [disarmed] } ]
then:
  - name: look
    ai:
      mode: look
      prompt: What is there?
      input: { frames: { count: 4, over: 2s } }
      fields:
        people: { measure: count, of: person, min_score: 0.5 }
        colour: [red, blue]
        note: text
      decision: [a, b]
      rules:
        - { when: { people: { at_least: 1 }, colour: red }, then: a }
        - { then: b }
      sure: 0.5
      limits: { seconds: 20 }
      a: []
      b: []
      unsure: []
  - ai:
      mode: investigate
      goal: Find out.
      tools: [describe_camera, recent_events]
      memory: run
      decision: [fine]
      fields: { who: [staff, other] }
      rules: [{ when: { who: staff }, then: fine }]
      fine: []
      unsure: []
  - if:
      - step_succeeded: look
      - elapsed: 1m
    then:
      - log: x
  - for_each:
      events: { schema: plate.recognized.v1, within: 1h }
      max: 5
      do: []
  - wait: 5s
  - wait_for: { until: { site_mode: [armed_away] }, every: 5s, timeout: 1m }
  - ask_person: { who: [role:guard, "person:guard"], message: "In?", replies: [Let in, Refuse], timeout: 60s, default: Refuse, attach: [picture] }
  - call: { who: role:guard, goal: Ask., outcomes: [fine, bad], fields: { note: text }, timeout: 2m }
  - alert: { severity: medium, title: Look }
  - notify: { who: role:guard, message: Look, severity: low }
  - log: "{plate}"
  - save_clip: { before: 5s, after: 10s }
  - save_picture: {}
  - ptz_preset: { camera: gate, preset: Road }
  - webhook: { to: gate, method: POST, json: { action: open, count: 3 } }
  - webhook: { to: gate, json: { deep: { a: [1] } } }
  - mqtt: { to: gate, json: on }
  - home_assistant: { service: light.turn_on, target: light.yard, data: { brightness: 5 } }
  - site_mode: { to: armed_away, reason: Night }
  - app: { id: intercom, action: open, params: { door: 1 } }
  - reply: Done
  - speak: { text: Hello }
`

const TRIGGERS = [
  'alert: { source: [door-app], severity: [high], cameras: [gate] }',
  'detect.person_in_zone: { cameras: [gate], min_seconds: 5, zone: yard, labels: [person], stationary: false }',
  'camera_offline: { for: 5m, cameras: [gate] }',
  'schedule: { at: "07:00", days: [mon] }',
  'button: { label: Press }',
  'webhook: { label: Door }',
  'message: {}',
  'watch: { cameras: [gate], question: "Is it open?", every: 1m, confirmations: 2 }',
]

let real: RealBox
let page: Page

const open = async (text: string) => {
  await page.goto(`${real.url}/workflows/new`)
  await page.getByRole('button', { name: 'Start with nothing' }).waitFor()
  await page.evaluate(draft => localStorage.setItem('gatehouse-draft-new', draft), text)
  await page.reload()
  await page.getByRole('button', { name: 'Go on with what you had not saved' }).click()
  await page.locator('button.flow-card').first().waitFor()
}

/** Inputs that nobody who listens could tell apart. Runs in the browser. */
const unnamed = (all: (HTMLElement | SVGElement)[]) =>
  all.flatMap(it => ((it as HTMLInputElement).labels?.length || it.ariaLabel ? [] : [it.outerHTML]))

describe.skipIf(!hasBrowser)('the forms of the builder', () => {
  beforeAll(async () => {
    real = await startReal()
    page = real.page
  }, 60_000)
  afterAll(() => real?.stop())

  it('are there for every kind, can be read by everybody, and change nothing by being looked at', async () => {
    const { steps, actions, conditions } = registry()
    for (const { kind } of [...steps, ...actions, ...conditions]) expect(EVERY).toContain(`${kind}:`)
    await open(EVERY)
    const cards = page.locator('button.flow-card')
    const count = await cards.count()
    expect(count).toBeGreaterThan(30)
    for (let i = 0; i < count; i++) {
      await cards.nth(i).click()
      await page.locator('.panel h2:focus').waitFor()
      expect([
        await cards.nth(i).textContent(),
        await page.locator('.panel').locator('input, select, textarea').count(),
      ]).not.toEqual([expect.anything(), 0])
      expect(await page.locator('.panel :is(input, select, textarea)').evaluateAll(unnamed)).toEqual([])
      if (process.env.SHOTS)
        await page
          .locator('.panel')
          .screenshot({ path: `${process.env.SHOTS}/form-${String(i).padStart(2, '0')}.png` })
    }
    expect(await page.evaluate(() => localStorage.getItem('gatehouse-draft-new'))).toBe(EVERY)
    expect(await violations(page)).toEqual([])
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    expect(real.complaints.splice(0)).toEqual([])
  })

  it('are there for every trigger', async () => {
    const kinds = registry().triggers.map(({ kind }) => kind)
    for (const kind of kinds) expect([...TRIGGERS, EVERY].some(text => text.includes(`${kind}:`))).toBe(true)
    for (const [i, trigger] of TRIGGERS.entries()) {
      const text = `contract: workflow.v1\nname: One\nwhen:\n  ${trigger}\nthen:\n  - log: x\n`
      expect(parse(text).problems.filter(({ severity }) => severity === 'error')).toEqual([])
      await open(text)
      await page.locator('[data-node="when"]').click()
      await page.locator('.panel h2:focus').waitFor()
      if (process.env.SHOTS)
        await page.locator('.panel').screenshot({ path: `${process.env.SHOTS}/trigger-${i}.png` })
    }
    expect(await violations(page)).toEqual([])
    expect(real.complaints.splice(0)).toEqual([])
  })
})
