import { describe, expect, test } from 'vitest'
import type { IncomingEvent } from '../../src/core/index.ts'
import { triggers } from '../../src/kinds/index.ts'
import { Site } from '../../src/site/index.ts'

const site = Site.load('cameras: { c1: { name: North gate, roles: [front, gate] }, c2: {} }', '/site.yaml')

function event(patch: Partial<IncomingEvent> = {}): IncomingEvent {
  return {
    kind: 'event',
    id: 'evt_1',
    at: 0,
    cameraId: 'c1',
    schema: 'plate.recognized.v1',
    source: 'plates',
    severity: null,
    payload: { plate_text: 'B AB 123', confidence: 0.9 },
    correlationId: null,
    chain: [],
    by: null,
    workflowId: null,
    pictures: [],
    ...patch,
  }
}
const given = (values: unknown) => (values === null ? null : { ...(values as object) })

describe('event', () => {
  const matches = (params: object, patch: Partial<IncomingEvent> = {}) =>
    given(triggers.event.matches({ schema: 'plate.recognized.v1', ...params }, event(patch), site))

  test('gives the role that the file asked for, and the payload under its own names', () => {
    expect(matches({ cameras: ['yard', 'gate'] })).toEqual({
      camera: 'gate',
      camera_name: 'North gate',
      camera_id: 'c1',
      plate: 'B AB 123',
      plate_text: 'B AB 123',
      confidence: 0.9,
    })
    expect(matches({})).toMatchObject({ camera: 'front' })
    expect(matches({}, { cameraId: 'c2' })).toMatchObject({ camera: 'c2' })
    expect(matches({}, { cameraId: 'unheard' })).toMatchObject({ camera: 'unheard', camera_name: 'unheard' })
    expect(matches({}, { cameraId: null })).not.toHaveProperty('camera')
  })

  test('fits its schema and its cameras only', () => {
    expect(matches({ schema: 'access.decided.v1' })).toBeNull()
    expect(matches({ cameras: ['yard'] })).toBeNull()
    expect(matches({ cameras: ['gate'] }, { cameraId: null })).toBeNull()
    expect(matches({ cameras: ['gate'] }, { cameraId: 'c2' })).toBeNull()
    expect(matches({}, { schema: null })).toBeNull()
  })

  test('is no plate without a plate', () => {
    for (const payload of [
      {},
      { plate_text: '' },
      { plate_text: ' ' },
      { plate_text: 7 },
      { plate: 'B AB 123' },
    ])
      expect(matches({}, { payload })).toBeNull()
  })

  test('takes nothing for leave to enter but the very word', () => {
    const decided = (decision: string) =>
      matches(
        { schema: 'access.decided.v1', where: { decision: 'allow' } },
        { schema: 'access.decided.v1', payload: { plate_text: 'B AB 123', decision } },
      )
    expect(decided('allow')).toMatchObject({ decision: 'allow' })
    for (const other of ['ALLOW', ' allow', 'allow ', 'állow', 'allowed', 'deny'])
      expect(decided(other)).toBeNull()
    const loose = { schema: 'access.decided.v1', payload: { decision: 'Allow' } }
    expect(matches({ schema: 'access.decided.v1' }, loose)).toMatchObject({ decision: 'deny' })
  })

  test('holds `where` against the payload', () => {
    expect(matches({ where: { plate: 'b ab 123', confidence: { at_least: 0.9 } } })).not.toBeNull()
    expect(matches({ where: { confidence: { at_least: 0.91 } } })).toBeNull()
    expect(matches({ where: { plate: ['x', 'y'] } })).toBeNull()
    expect(matches({ where: { unheard: { is_not: 'x' } } })).toBeNull()
  })

  test('lets no payload pass for what the box says', () => {
    const payload = JSON.parse(
      '{"__proto__":{"x":1},"constructor":2,"camera":"yard","camera_id":"c9","trigger":"t","trigger.plate":"forged","a b":1,"look.company":"dhl","fine":3}',
    )
    const values = triggers.event.matches({ schema: 's' }, event({ schema: 's', payload }), site)
    expect(given(values)).toEqual({
      constructor: 2,
      fine: 3,
      camera: 'front',
      camera_name: 'North gate',
      camera_id: 'c1',
    })
    expect(Object.getPrototypeOf(values)).toBeNull()
  })

  test('takes no payload without end', () => {
    const payload = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]))
    const values = triggers.event.matches({ schema: 's' }, event({ schema: 's', payload }), site)
    expect(Object.keys(values ?? {}).length).toBeLessThan(100)
  })
})

describe('alert', () => {
  const alert = (patch: Partial<IncomingEvent> = {}) =>
    event({
      kind: 'alert',
      schema: 'alert.fired.v1',
      source: 'app.intrusion',
      severity: 'high',
      payload: { title: 'T' },
      ...patch,
    })
  const matches = (params: object, patch: Partial<IncomingEvent> = {}) =>
    given(triggers.alert.matches({ ...params }, alert(patch), site))

  test('fits by source, severity and camera', () => {
    expect(matches({})).toMatchObject({
      title: 'T',
      severity: 'high',
      source: 'app.intrusion',
      camera: 'front',
    })
    expect(matches({ source: 'intrusion', severity: ['high'], cameras: ['gate'] })).toMatchObject({
      camera: 'gate',
    })
    expect(matches({ source: ['x', 'intrusion'] })).not.toBeNull()
    expect(matches({ source: 'intru' })).toBeNull()
    expect(matches({ severity: ['low', 'critical'] })).toBeNull()
    expect(matches({ cameras: ['yard'] })).toBeNull()
    expect(matches({}, { kind: 'event' })).toBeNull()
    expect(matches({ source: 'x' }, { source: null })).toBeNull()
  })

  test('a workflow that bears an app’s name is not that app', () => {
    expect(matches({ source: 'intrusion' }, { source: 'workflow.intrusion' })).toBeNull()
    expect(matches({ source: 'workflow.intrusion' }, { source: 'workflow.intrusion' })).not.toBeNull()
  })

  test('is an event too, for a file that asks for its schema', () => {
    expect(triggers.event.matches({ schema: 'alert.fired.v1' }, alert(), site)).not.toBeNull()
  })
})

test('button and webhook give what they bring, and who pressed', () => {
  const press = event({ kind: 'button', cameraId: null, payload: {}, by: { by: 'session', name: 'Ann' } })
  expect(given(triggers.button.matches({}, press, site))).toEqual({ pressed_by: 'Ann' })
  expect(given(triggers.button.matches({}, { ...press, by: null }, site))).toEqual({})
  expect(triggers.button.matches({}, event(), site)).toBeNull()
  const hook = event({ kind: 'webhook', payload: { order: 7, plate_text: 'X' } })
  expect(given(triggers.webhook.matches({}, hook, site))).toMatchObject({
    order: 7,
    plate: 'X',
    camera: 'front',
  })
  expect(triggers.webhook.matches({}, press, site)).toBeNull()
})

describe('detect.person_in_zone', () => {
  const asked = (patch: object = {}) => ({ zone: 'lawn', min_seconds: 5, stationary: false, ...patch })
  const payload = { label: 'person', zone: 'lawn', seconds: 5.2, track: '7', score: 0.9, asked: asked() }
  const params = { cameras: ['gate'], min_seconds: 5, zone: 'lawn' }
  const matches = (more: object = {}, patch: Partial<IncomingEvent> = {}) =>
    given(
      triggers['detect.person_in_zone'].matches(
        { ...params, ...more },
        event({ kind: 'detect.person_in_zone', schema: null, payload, ...patch }),
        site,
      ),
    )

  test('gives who was where for how long', () => {
    expect(matches()).toEqual({
      camera: 'gate',
      camera_name: 'North gate',
      camera_id: 'c1',
      label: 'person',
      zone: 'lawn',
      seconds: 5.2,
      track: '7',
      score: 0.9,
    })
  })

  test('fits only what was counted for just this', () => {
    expect(matches({ min_seconds: 10 })).toBeNull()
    expect(matches({ min_seconds: 4 })).toBeNull()
    expect(matches({ zone: 'fence' })).toBeNull()
    expect(matches({ stationary: true })).toBeNull()
    expect(matches({ cameras: ['c2'] })).toBeNull()
    expect(matches({}, { kind: 'event' })).toBeNull()
    expect(matches({}, { payload: { ...payload, asked: null } })).toBeNull()
    const whole = { payload: { ...payload, zone: null, asked: asked({ zone: null }) } }
    expect(matches({}, whole)).toBeNull()
    expect(
      given(
        triggers['detect.person_in_zone'].matches(
          { cameras: ['gate'], min_seconds: 5 },
          event({ kind: 'detect.person_in_zone', ...whole }),
          site,
        ),
      ),
    ).toMatchObject({ zone: null })
  })

  test('knows people where the file does not say, and groups by their name', () => {
    const of = (label: string) => ({ payload: { ...payload, label } })
    expect(matches({}, of('dog'))).toBeNull()
    expect(matches({ labels: ['animal'] }, of('dog'))).not.toBeNull()
    expect(matches({ labels: ['Vehicle'] }, of('truck'))).not.toBeNull()
    expect(matches({ labels: ['vehicle'] }, of('vehicle'))).not.toBeNull()
    expect(matches({ labels: ['car', 'dog'] }, of('person'))).toBeNull()
  })

  test('takes what a person tries it with', () => {
    expect(matches({}, { workflowId: 1, payload: { label: 'person' } })).toMatchObject({ camera: 'gate' })
  })
})

describe('camera_offline', () => {
  const matches = (params: object, patch: Partial<IncomingEvent> = {}) =>
    given(
      triggers.camera_offline.matches(
        { for: '1m', ...params },
        event({
          kind: 'camera_offline',
          schema: null,
          workflowId: 1,
          payload: { offline_seconds: 75 },
          ...patch,
        }),
        site,
      ),
    )

  test('says which camera, and for how long', () => {
    const values = { camera: 'front', camera_name: 'North gate', camera_id: 'c1' }
    expect(matches({})).toEqual({ ...values, offline_seconds: 75 })
    expect(matches({}, { payload: {} })).toMatchObject({ offline_seconds: 60 })
    expect(matches({ cameras: ['gate'] })).toMatchObject({ camera: 'gate' })
  })

  test('fits its cameras, an outage that is long enough, and what the box says to this workflow', () => {
    expect(matches({ cameras: ['yard'] })).toBeNull()
    expect(matches({ for: '2m' })).toBeNull()
    expect(matches({}, { workflowId: null })).toBeNull()
    expect(matches({}, { kind: 'event' })).toBeNull()
  })
})
