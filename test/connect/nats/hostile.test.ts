import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventually } from '../helpers.ts'
import { hasNats, NatsServer } from './server.ts'
import { ALERT, ALERTS, alertTwice, listening, PLATE, PLATES, plate } from './world.ts'

const ACCESS = `
contract: workflow.v1
name: Access
limits: { cooldown: 0s, per_hour: 1000000 }
when: { event: { schema: access.decided.v1 } }
then: [ log: "{decision}" ]
`
const access = (n: number, at: number) =>
  plate(n, at, { schema: 'access.decided.v1', payload: { decision: 'allow' } })

describe.skipIf(!hasNats)('hostile messages', () => {
  test('start nothing, are counted, and leave the line as it is', async () => {
    const server = await new NatsServer({ config: 'max_payload: 4MB' }).start()
    const { box, nats, up, runs } = await listening(`{ url: "${server.url}" }`)
    await box.save(PLATES, 'on')
    await up()
    const now = box.clock.now()
    const good = JSON.stringify(plate(1, now))
    const deep = (n: number) => `${'['.repeat(n)}${']'.repeat(n)}`
    const messages: (string | Uint8Array | object)[] = [
      '',
      ' ',
      'null',
      '[]',
      '7',
      '"plate"',
      good.slice(0, -1),
      `${good}${good}`,
      deep(100_000),
      good.replace('"payload":{', `"payload":{"deep":${deep(40)},`),
      new Uint8Array([0xff, 0xfe, 0x00, 0xd8]),
      Buffer.from(good, 'utf16le'),
      good.replace('BXY1', `B${'X'.repeat(70_000)}`),
      ' '.repeat(1_048_577 - good.length) + good,
      plate(2, now, { schema: 'PLATE' }),
      plate(3, now, { schema: 7 }),
      plate(4, now, { payload: null }),
      plate(5, now, { payload: 'plate' }),
      plate(6, now, { payload: { plate_text: '' } }),
      plate(7, now, { payload: { plate_text: ['B'] } }),
      plate(8, now, { id: { $ne: null } }),
      plate(9, now, { id: 'x'.repeat(10_000) }),
      plate(10, now, { camera_id: ['gate'] }),
      plate(11, now, { ts: 'yesterday' }),
      plate(12, now, { ts: '9999-01-01T00:00:00Z' }),
      plate(13, now, { ts: -1 }),
      good.replace('0.97', '1e999'),
    ]
    await server.publish(PLATE, ...messages)
    await eventually(() => nats.received === messages.length)
    await box.quiet()
    expect(runs()).toBe(0)
    expect(nats.shed).toMatchObject({ malformed: messages.length, mismatched: 0, failed: 0 })
    await server.publish(PLATE, good)
    await eventually(() => runs() === 1)
    expect(nats.problem).toBeNull()
  })

  test('are not heard in the name of another: schema, source and camera are those of the subject', async () => {
    const server = await new NatsServer().start()
    const { box, nats, up, runs } = await listening(`{ url: "${server.url}" }`)
    for (const yaml of [PLATES, ALERTS.replace(' source: intrusion-detection ', ''), ACCESS])
      await box.save(yaml, 'on')
    await up()
    const now = box.clock.now()
    const [alert] = alertTwice(1, now)
    const from = (kind: string, name: string) => ({ ...alert, source: { kind, name, version: '1' } })
    const wrong: [string, object][] = [
      [PLATE, access(1, now)],
      [PLATE, alert],
      ['opennvr.events.plate.recognized.v1.yard-1', plate(2, now)],
      ['opennvr.alerts.app.tattle.gate', access(3, now)],
      ['opennvr.alerts.app.tattle.gate', from('app', 'smoke-detector')],
      ['opennvr.alerts.app.workflow_gate.gate', from('workflow', 'gate')],
      ['opennvr.alerts.workflow.gate.gate', from('app', 'gate')],
      ['opennvr.alerts.app.intrusion-detection.yard-1', alert],
      ['opennvr.alerts.app.intrusion-detection', alert],
      ['opennvr.alerts.app.intrusion-detection.gate.more', alert],
    ]
    for (const [subject, message] of wrong) await server.publish(subject, message)
    await eventually(() => nats.received === wrong.length)
    await box.quiet()
    expect(runs()).toBe(0)
    expect(nats.shed.mismatched).toBe(wrong.length)
    await server.publish('opennvr.events.access.decided.v1.gate', access(4, now))
    await server.publish(ALERT, alert)
    await eventually(() => runs() === 2)
  })

  test('of any shape: none crashes, none starts what it should not', async () => {
    const server = await new NatsServer().start()
    const { box, nats, up, runs } = await listening(`{ url: "${server.url}" }`)
    // Only a plate that nobody sends by chance would start it.
    const only = PLATES.replace('then:', 'if: [ value: { of: plate, is: OPEN-SESAME } ]\nthen:')
    for (const yaml of [
      only,
      ACCESS.replace('access.decided.v1', 'visit.recorded.v1').replace('{decision}', 'visit'),
    ])
      await box.save(yaml, 'on')
    await up()
    const now = box.clock.now()
    const key = fc.constantFrom(
      ...Object.keys(plate(1, now)),
      '__proto__',
      'alert_id',
      'title',
      'source',
      'evidence',
    )
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom('plate.recognized.v1', 'alert.fired.v1', '', 0, -1, 1e308),
    )
    const envelope = fc
      .tuple(fc.dictionary(key, value, { maxKeys: 8 }), fc.subarray(Object.entries(plate(1, now))))
      .map(([wild, kept]) => JSON.stringify({ ...Object.fromEntries(kept), ...wild }))
    const message = fc.oneof(
      { weight: 4, arbitrary: envelope },
      { weight: 1, arbitrary: fc.json() },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 50, maxLength: 50 }), async batch => {
        const before = nats.received
        await server.publish(PLATE, ...batch)
        await eventually(() => nats.received === before + batch.length)
      }),
      { numRuns: 40 },
    )
    await box.quiet()
    expect(runs()).toBe(0)
    expect(nats.shed.failed).toBe(0)
    expect(nats.problem).toBeNull()
    await server.publish(PLATE, plate(99, now, { payload: { plate_text: 'OPEN-SESAME', confidence: 0.99 } }))
    await eventually(() => runs() === 1)
  })
})
