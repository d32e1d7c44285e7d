import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LookInput } from '../../src/ai/index.ts'
import { GatehouseError, type JsonValue } from '../../src/core/index.ts'
import { Box, decision, noArchive, picture, SITE } from './box.ts'

const ZONES = 'zones: { drive: [[0, 0], [1, 0], [1, 1]] }'
const MEASURED = 'fields: { vans: { measure: count, of: vehicle, region: drive } }'

let box: Box
let judged: LookInput['pictures'][]
let asked: JsonValue[]
beforeEach(async () => {
  box = await new Box({ site: SITE.replace('roles: [gate] }', `roles: [gate], ${ZONES} }`) }).start()
  judged = []
  asked = []
  box.look = async (_spec, input) => {
    judged.push(input.pictures)
    return decision({ decision: 'yes', confidence: 0.9, rule: 0 })
  }
  box.snapshot = async camera => picture(`now at ${camera}`, box.clock.now())
  box.archive = {
    ...noArchive,
    lacks: null,
    evidence: async ({ at, payload }) => {
      asked.push(payload)
      return { ...picture('the visit', at), source: 'evidence of the NVR' }
    },
  }
})
afterEach(() => box.stop())

const file = (more = '', before = '') =>
  `
contract: workflow.v1
name: Gate
state: test
limits: { cooldown: 0s, per_hour: 1000, ai_per_hour: 1000 }
when: { event: { schema: visit.recorded.v1, cameras: [gate] } }
then:
${before}
  - ai:
      mode: look
      prompt: Is it a van?
      input: picture
      ${more}
      decision: [yes, no]
      rules: [ { then: "yes" } ]
      "yes": [ alert: { severity: low, title: seen, attach: [picture] } ]
      "no": []
      unsure: []
`.replace('decision: [yes, no]', 'decision: ["yes", "no"]')
const visit = (patch: Parameters<Box['event']>[0] = {}) =>
  box.event({
    schema: 'visit.recorded.v1',
    cameraId: 'gate',
    payload: { event_id: '7', label: 'car' },
    ...patch,
  })
const shown = () => judged.map(pictures => pictures.map(({ source }) => source))

describe('the picture that the NVR keeps of an event', () => {
  test('is what a Look judges, and is kept with the run', async () => {
    await box.save(file(), 'on')
    const run = await box.run(visit())
    expect(shown()).toEqual([['evidence of the NVR']])
    expect(asked).toEqual([{ event_id: '7', label: 'car' }])
    expect(run.pictures).toMatchObject([{ source: 'evidence of the NVR' }])
  })

  test.each([
    ['one came with the event', '', true],
    ['another camera is meant', 'look_at: yard', false],
    ['a zone is measured, which a cut of a picture has not', MEASURED, false],
  ])('is not asked for where %s', async (_name, more, brings) => {
    await box.save(file(more), 'on')
    const pictures = brings ? [picture('brought', box.clock.now())] : []
    await box.run(visit({ pictures }))
    expect(judged).toHaveLength(1)
    expect(asked).toEqual([])
  })

  test('gives way to the camera where it is older than a picture may be', async () => {
    await box.save(file(), 'on')
    await box.run(visit({ at: box.clock.now() - 31_000 }))
    expect(shown()).toEqual([['upload']])
    expect(asked).toEqual([])
  })

  test('that is not there, or could not be asked for, is the camera’s picture of now', async () => {
    await box.save(file(), 'on')
    const { archive } = box
    box.archive = { ...archive, evidence: async () => null }
    await box.run(visit())
    box.archive = {
      ...archive,
      evidence: async () => {
        throw new GatehouseError('destination_unreachable', 'the NVR cannot be reached.')
      },
    }
    await box.run(visit({ id: 'evt_2' }))
    box.archive = { ...archive, lacks: 'there is no NVR' }
    await box.run(visit({ id: 'evt_3' }))
    expect(shown()).toEqual([['upload'], ['upload'], ['upload']])
    expect(asked).toEqual([])
  })

  test('does not hold a run up for longer than five seconds', async () => {
    await box.save(file(), 'on')
    const { promise: called, resolve } = Promise.withResolvers<void>()
    box.archive = {
      ...box.archive,
      evidence: (_event, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          resolve()
        }),
    }
    const running = box.run(visit())
    await called
    box.clock.advance(5_000)
    await running
    expect(shown()).toEqual([['upload']])
  })

  test('is fetched once for a run, however many of its steps look', async () => {
    const twice = file('', file().slice(file().indexOf('  - ai:')))
    await box.save(twice, 'on')
    await box.run(visit())
    expect(judged).toHaveLength(2)
    expect(asked).toHaveLength(1)
  })
})
