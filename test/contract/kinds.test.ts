import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Effect, triggerKind } from '../../src/contract/index.ts'
import { actions, conditions, steps, tools, triggers } from '../../src/contract/kinds/index.ts'
import { siteOf } from './proof/corpus.ts'

const folder = join(import.meta.dirname, '../../src/contract/kinds')

test.each(Object.entries({ triggers, conditions, steps, actions, tools }))(
  'each of the %s has a file of its own name',
  (group, registry) => {
    const files = readdirSync(join(folder, group)).map(file => file.replace(/\.ts$/, ''))
    expect(Object.keys(registry).filter(kind => !files.includes(kind))).toEqual([])
    for (const [kind, descriptor] of Object.entries(registry)) expect(descriptor.kind).toBe(kind)
  },
)

describe('the class of an action', () => {
  const site = siteOf({
    destinations: { lamp: 'tell', door: 'move' },
    apps: { lights: { blink: true } },
    informingServices: ['switch.turn_on switch.sign', 'script.turn_on script.hello'],
    guardedCameras: ['gate'],
  })
  const ha = 'home_assistant'

  test.each<[keyof typeof actions, unknown, Effect]>([
    ['webhook', { to: 'lamp' }, 'tell'],
    ['webhook', { to: 'door' }, 'move'],
    ['webhook', { to: 'elsewhere' }, 'move'],
    ['mqtt', { to: 'constructor' }, 'move'],
    ['app', { id: 'lights', action: 'blink' }, 'tell'],
    ['app', { id: 'lights', action: 'open' }, 'move'],
    ['app', { id: 'nobody', action: 'blink' }, 'move'],
    ['site_mode', { to: 'disarmed' }, 'move'],
    ['ptz_preset', { camera: 'gate', preset: 'home' }, 'move'],
    ['ptz_preset', { camera: 'yard', preset: 'home' }, 'tell'],
    ['ptz_preset', { preset: 'home' }, 'move'],
    ['ptz_preset', { camera: '{camera}', preset: 'home' }, 'move'],
    [ha, { service: 'light.turn_on' }, 'tell'],
    [ha, { service: 'notify.phone' }, 'tell'],
    [ha, { service: 'homeassistant.turn_on', target: 'light.hall' }, 'move'],
    [ha, { service: 'scene.turn_on' }, 'move'],
    [ha, { service: 'lock.unlock' }, 'move'],
    [ha, { service: 'switch.turn_on', target: 'switch.sign' }, 'tell'],
    [ha, { service: 'switch.turn_on', target: { entity_id: ['switch.sign'] } }, 'tell'],
    [ha, { service: 'switch.turn_on', target: ['switch.sign', 'switch.gate'] }, 'move'],
    [ha, { service: 'switch.turn_off', target: 'switch.sign' }, 'move'],
    [ha, { service: 'switch.turn_on', target: '{reason}' }, 'move'],
    [ha, { service: 'switch.turn_on' }, 'move'],
    [ha, { service: 'switch.turn_on', target: 'switch.sign', data: { entity_id: 'switch.gate' } }, 'move'],
    [ha, { service: 'switch.turn_on', target: 'switch.sign', data: { Area_ID: 'gate' } }, 'move'],
    [ha, { service: 'script.turn_on', target: 'script.hello', data: { text: 'hi' } }, 'tell'],
  ])('%s %j is %s', (kind, params, effect) => {
    expect(actions[kind].effect(params, site)).toBe(effect)
  })

  test('without a site is what the file declares, else the graver', () => {
    expect(actions.webhook.effect({ to: 'lamp' }, undefined, { lamp: 'tell' })).toBe('tell')
    expect(actions.webhook.effect({ to: 'lamp' })).toBe('move')
    expect(actions.webhook.effect({ to: 'toString' }, undefined, {})).toBe('move')
    expect(actions.app.effect({ id: 'lights', action: 'blink' })).toBe('move')
  })

  test('declared by the file counts for nothing where there is a site', () => {
    expect(actions.webhook.effect({ to: 'elsewhere' }, site, { elsewhere: 'tell' })).toBe('move')
  })
})

describe('what a trigger vouches for', () => {
  const trusted = siteOf({ trustedWebhook: true, plainAlertSources: ['doorbell'] })

  test.each<[string, unknown, boolean, boolean]>([
    ['schedule', { every: '5m' }, false, true],
    ['button', {}, false, true],
    ['camera_offline', { for: '5m' }, false, true],
    ['webhook', {}, true, false],
    ['message', {}, true, false],
    ['watch', { cameras: ['gate'], question: 'x?', every: '5m' }, true, false],
    ['alert', {}, true, false],
    ['alert', { source: 'doorbell' }, true, false],
    ['event', { schema: 'plate.recognized.v1' }, false, false],
    ['event', { schema: 'access.decided.v1' }, false, false],
    ['event', { schema: 'alert.fired.v1' }, true, false],
    ['event', { schema: 'constructor.x.v1' }, true, false],
    ['detect.person_in_zone', { cameras: ['gate'], min_seconds: 1 }, true, false],
  ])('%s %j: tainted %s, authority %s', (kind, params, tainted, authority) => {
    expect(triggerKind(kind)?.tainted(params)).toBe(tainted)
    expect(triggerKind(kind)?.authority(params)).toBe(authority)
  })

  test('an admin can trust a webhook and list plain sources of alerts', () => {
    expect(triggers.webhook.authority({}, trusted)).toBe(true)
    expect(triggers.webhook.tainted({}, trusted)).toBe(false)
    expect(triggers.alert.tainted({ source: 'doorbell' }, trusted)).toBe(false)
    expect(triggers.alert.tainted({ source: ['doorbell', 'other'] }, trusted)).toBe(true)
    expect(triggers.alert.tainted({}, trusted)).toBe(true)
    expect(triggers.alert.authority({ source: 'doorbell' }, trusted)).toBe(false)
  })

  test('only plates that were recognised and access decisions are clean identities', () => {
    const identities = (schema: string) =>
      Object.entries(triggers.event.gives({ schema }))
        .filter(([, { clean, identity }]) => clean && identity)
        .map(([name]) => name)
    expect(identities('plate.recognized.v1')).toEqual(['plate', 'plate_text'])
    expect(identities('access.decided.v1')).toEqual(['decision'])
    expect(identities('occupancy.changed.v1')).toEqual([])
    expect(identities('plate.recognized.v2')).toEqual([])
  })
})
