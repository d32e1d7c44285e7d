/** The whole box beside its NVR. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Appliance } from '../../../src/app.ts'
import { resources } from '../../../src/box/resources.ts'
import { type IncomingEvent, ManualClock, mintId, noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { jpeg, temporaryFolder } from '../helpers.ts'
import { section } from './box.ts'
import { KEY, NvrServer, TOKEN } from './server.ts'

const SLOW = { timeout: 30_000, interval: 20 }

/** A box with its data folder; its clock stands still unless it is turned, so that nothing is asked by itself. */
async function boxAt(server: NvrServer, dir = temporaryFolder(), more = '') {
  mkdirSync(join(dir, 'secrets'), { recursive: true })
  writeFileSync(join(dir, 'secrets/key'), KEY)
  writeFileSync(join(dir, 'secrets/token'), TOKEN)
  const clock = new ManualClock(Date.now())
  const site = Site.load(
    `${section(server)}\ncameras: { cam1: { roles: [gate] } }\n${more}`,
    join(dir, 'site.yaml'),
  )
  const box = new Appliance({
    ...{ dataDir: dir, clock, resources: resources(), log: noLog, port: null, site },
  })
  onTestFinished(() => box.stop())
  await box.start()
  return { box, clock, dir }
}

const event = (schema: string, payload: IncomingEvent['payload'], at: number): IncomingEvent => ({
  ...{ kind: 'event', id: mintId('evt'), at, cameraId: 'cam1', schema, source: 'test', severity: null },
  ...{ payload, correlationId: null, chain: [], by: null, workflowId: null, pictures: [] },
})
const press = (workflowId: number, at: number): IncomingEvent => ({
  ...event('', {}, at),
  ...{ kind: 'button', schema: null, cameraId: null, workflowId, by: { by: 'session', name: 'Ann' } },
})

const gate = (confirm: boolean) => [
  {
    id: 'gate-controller',
    name: 'Gate',
    manifest: {
      id: 'gate-controller',
      name: 'Gate',
      emits: [{ name: 'opened' }],
      actions: [
        { name: 'say', label: 'Say', params: [{ name: 'text', type: 'str', required: true }], confirm },
      ],
    },
  },
]
const SAYS = `
contract: workflow.v1
name: Says
state: on
limits: { cooldown: 0s }
when: { event: { schema: occupancy.changed.v1 } }
then:
  - app: { id: gate-controller, action: say, params: { text: "{count} inside" } }
`
const ARMS = `
contract: workflow.v1
name: Arms
state: on
when: { button: {} }
then:
  - site_mode: { to: armed_away, reason: everybody left }
  - log: armed
always:
  - log: over
`

describe('a box beside its NVR', () => {
  test('asks an app, and stands still as soon as its manifest calls that a move', async () => {
    const server = new NvrServer()
    server.apps = gate(false)
    const { box, clock } = await boxAt(server)
    await expect.poll(() => box.rules.site.apps?.length, SLOW).toBe(1)
    const saved = await box.engine.save(SAYS)
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
    expect(saved.problems).toEqual([])
    const [admission] = await box.engine.submit(event('occupancy.changed.v1', { count: 3 }, clock.now()))
    const run = await box.engine.settled(admission?.run ?? 0, 20_000)
    expect(run.steps[0]).toMatchObject({ status: 'done', result: { result: { ok: true } } })
    const [post] = server.of('POST', '/internal/apps/gate-controller/actions/say')
    expect(post?.body).toEqual({ text: '3 inside' })
    expect(post?.headers['x-correlation-id']).toContain(String(run.id))

    server.apps = gate(true)
    clock.advance(60_000)
    const attention = () => box.engine.workflow('says')?.needs_attention ?? null
    await expect.poll(attention, SLOW).toContain('line')
    server.apps = gate(false)
    const asked = server.of('GET', '/apps').length
    // It may be that it has not yet been said when the next time is.
    const later = () => {
      clock.advance(60_000)
      return server.of('GET', '/apps').length
    }
    await expect.poll(later, SLOW).toBeGreaterThan(asked)
    expect(attention()).toContain('line')
    const refused = await box.engine.save(SAYS.replace('Says', 'Says too'))
    expect(refused.ok).toBe(false)
  })

  test('arms the NVR once; of a move in which it went away nobody knows, also after a restart of the box', async () => {
    const server = new NvrServer()
    const { box, clock, dir } = await boxAt(server)
    const saved = await box.engine.save(ARMS)
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
    const { id } = saved.workflow
    const armed = async (it: Appliance) => {
      const [admission] = await it.engine.submit(press(id, clock.now()))
      return it.engine.settled(admission?.run ?? 0, 20_000)
    }
    const first = await armed(box)
    expect(first.steps.map(({ status }) => status)).toEqual(['done', 'done', 'done'])
    expect(server.mode).toMatchObject({ mode: 'armed_away' })

    let cut = 0
    server.before = ({ method }) => {
      if (method !== 'PUT') return undefined
      cut++
      void server.stop()
      return new Promise(() => undefined)
    }
    const lost = await armed(box)
    expect(lost).toMatchObject({ status: 'unknown' })
    expect(lost.steps.map(({ status }) => status)).toEqual(['unknown', 'done'])
    expect(box.engine.notices({ limit: 5 }).length).toBeGreaterThan(0)
    await box.stop()
    server.before = () => undefined
    server.start()
    const second = await boxAt(server, dir)
    await expect.poll(() => server.of('GET', '/internal/app/site-mode').length, SLOW).toBeGreaterThan(0)
    expect(second.box.engine.run(lost.id)).toMatchObject({ status: 'unknown' })
    expect(cut).toBe(1)
    expect(server.of('PUT', '/site-mode')).toHaveLength(2)
  })

  test('runs without it: what does not need it goes on, what does says why, and all is well when it is back', async () => {
    const server = new NvrServer()
    server.apps = gate(false)
    await server.stop()
    const { box, clock } = await boxAt(server)
    const log = await box.engine.save(ARMS.replace('Arms', 'Logs').replace(/ {2}- site_mode.*\n/, ''))
    const arms = await box.engine.save(ARMS)
    if (!log.ok || !arms.ok) throw new Error('not saved')
    const pressed = async (id: number) => {
      const [admission] = await box.engine.submit(press(id, clock.now()))
      return box.engine.settled(admission?.run ?? 0, 20_000)
    }
    expect(await pressed(log.workflow.id)).toMatchObject({ status: 'done' })
    const failed = await pressed(arms.workflow.id)
    expect(failed.steps[0]).toMatchObject({
      status: 'failed',
      result: {
        code: 'destination_unreachable',
        message: 'the NVR cannot be reached: nothing answers there.',
      },
    })
    server.start()
    await expect
      .poll(() => {
        clock.advance(2_000)
        return box.rules.site.apps?.length
      }, SLOW)
      .toBe(1)
    expect(await pressed(arms.workflow.id)).toMatchObject({ status: 'done' })
  })

  test('judges the picture that it keeps of an event', async () => {
    const server = new NvrServer()
    server.evidence.set('7', jpeg(9))
    const { box, clock } = await boxAt(server)
    const saved = await box.engine.save(`
contract: workflow.v1
name: Visits
state: test
limits: { cooldown: 0s }
when: { event: { schema: visit.recorded.v1, cameras: [gate] } }
then:
  - ai:
      mode: look
      prompt: Is somebody there?
      input: picture
      fields: { persons: { measure: count, of: person } }
      decision: [somebody, nobody]
      rules: [ { when: { persons: { at_least: 1 } }, then: somebody }, { then: nobody } ]
      somebody: []
      nobody: []
      unsure: []
`)
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
    const judged = async (id: number) => {
      const payload = { event_id: String(id), label: 'car' }
      const [admission] = await box.engine.submit(event('visit.recorded.v1', payload, clock.now()))
      const run = await box.engine.settled(admission?.run ?? 0, 20_000)
      return run.pictures.map(({ source }) => source)
    }
    expect(await judged(7)).toEqual(['evidence of the NVR'])
    // It keeps none of that one: the camera is asked, which is the NVR's, too.
    expect(await judged(8)).toEqual(['camera cam1'])
    expect(server.of('GET', '/internal/app/cameras/1/snapshot')).toHaveLength(1)
  }, 60_000)
})
