import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatehouseError } from '../../src/core/index.ts'
import type { Recorder } from '../../src/kinds/index.ts'
import { Box, picture } from './box.ts'

const file = (steps: string) =>
  `contract: workflow.v1\nname: W\nstate: on\nwhen: { webhook: {} }\nthen:\n${steps}`

let box: Box
let asked: { cameraId: string; ms: number }[]
let record: Recorder['clip']

beforeEach(async () => {
  asked = []
  record = async ({ cameraId, ms }) => {
    const path = join(box.dir, `${asked.length}.mp4`)
    writeFileSync(path, `clip ${asked.length}`)
    return {
      file: path,
      type: 'video/mp4',
      source: `camera ${cameraId}`,
      takenAt: box.clock.now(),
      ms,
      cut: null,
    }
  }
  const recorder: Recorder = {
    lacks: null,
    clip: order => {
      asked.push({ cameraId: order.cameraId, ms: order.ms })
      return record(order)
    },
  }
  box = new Box({ world: { recorder } })
  box.snapshot = async cameraId => picture(`${cameraId} now`, box.clock.now())
  await box.start()
})
afterEach(() => box.stop())

const run = async (steps: string, cameraId: string | null = 'gate') =>
  box.run(box.hook(await box.save(file(steps)), {}, cameraId))

describe('a clip', () => {
  test('is kept with the run: as a clip, not as a picture', async () => {
    const view = await run('  - save_clip: { camera: yard, after: 30s }')
    expect(asked).toEqual([{ cameraId: 'yard-1', ms: 30_000 }])
    const [step] = view.steps
    const [clip] = view.clips
    expect(step?.result).toEqual({
      camera: 'yard-1',
      clip: clip?.media,
      from: expect.stringMatching(/^2026-03-10T/),
      seconds: 30,
    })
    expect(clip).toMatchObject({ step: 0, type: 'video/mp4', source: 'camera yard-1', bytes: 6 })
    expect(view.pictures).toEqual([])
    expect(existsSync(join(box.dir, '1.mp4'))).toBe(false)
    expect(box.engine.runs({ limit: 1 })[0]?.picture).toBeNull()
  })

  test('is of the event’s camera, ten seconds, where nothing else is said', async () => {
    await run('  - save_clip: {}')
    expect(asked).toEqual([{ cameraId: 'gate', ms: 10_000 }])
    const view = await run('  - save_clip: {}\n  - log: x', null)
    expect(view.steps.map(({ status }) => status)).toEqual(['failed', 'done'])
    expect(view.steps[0]?.result).toMatchObject({ code: 'camera_unknown' })
  })

  test('of before is pictures where somebody has recordings, and what is lacking is said', async () => {
    const without = await run('  - save_clip: { before: 6s, after: 5s }')
    expect(without.steps[0]?.result).toMatchObject({
      clip: expect.any(Number),
      before: 'not available: there is no NVR',
    })
    const at: number[] = []
    box.archive = {
      ...NOTHING_KEPT,
      frame: async (cameraId, then) => {
        at.push((box.clock.now() - then) / 1000)
        return picture(`${cameraId} ${then}`, then)
      },
    }
    const view = await run('  - save_clip: { before: 6s, after: 5s }')
    expect(at).toEqual([6, 4, 2])
    expect(view.steps[0]?.result).toMatchObject({ before: view.pictures.map(({ media }) => media) })
    expect(view.pictures).toHaveLength(3)
    record = async () => {
      throw new GatehouseError('camera_offline', 'camera gate is offline.')
    }
    const half = await run('  - save_clip: { before: 6s }')
    expect(half.steps[0]).toMatchObject({
      status: 'done',
      result: { clip: 'not recorded: camera gate is offline.', before: expect.any(Array) },
    })
    box.archive = { ...NOTHING_KEPT, lacks: 'nothing on this site has recordings' }
    const none = await run('  - save_clip: { before: 6s }')
    expect(none.steps[0]).toMatchObject({ status: 'failed', result: { code: 'camera_offline' } })
  })

  test('that tells of it is attached', async () => {
    await run(
      '  - save_clip: {}\n  - alert: { severity: low, title: with, attach: [clip] }\n  - alert: { severity: low, title: without }',
    )
    const [clip] = box.engine.runs({ limit: 1 }).flatMap(({ id }) => box.engine.run(id)?.clips ?? [])
    const told = box.engine.notices({ limit: 9 }).map(({ title, clip: attached }) => [title, attached])
    expect(told).toEqual([
      ['without', null],
      ['with', clip?.media],
    ])
  })

  test('that was being recorded as the box stopped is recorded anew', async () => {
    const whole = record
    record = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('broken off'))))
    const id = await box.begin(box.hook(await box.save(file('  - save_clip: {}')), {}, 'gate'))
    await box.until(id, 'running')
    while (!asked.length) await Bun.sleep(1)
    record = whole
    await box.restart(1_000)
    const view = await box.ended(id)
    expect(view.steps.map(({ status }) => status)).toEqual(['done'])
    expect(view.clips).toHaveLength(1)
    expect(asked).toHaveLength(2)
  })

  test('that was being recorded as the run was stopped is none', async () => {
    record = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('broken off'))))
    const id = await box.begin(box.hook(await box.save(file('  - save_clip: {}\n  - log: x')), {}, 'gate'))
    while (!asked.length) await Bun.sleep(1)
    await box.engine.stopRun(id)
    const view = await box.ended(id)
    expect(view.status).toBe('stopped')
    expect(view.clips).toEqual([])
  })

  test('makes no run one that acted: it goes with the dull ones, and stays where something was done', async () => {
    const dull = await run('  - save_clip: {}\n  - save_picture: {}')
    const acted = await run('  - save_clip: {}\n  - webhook: { to: chat }')
    const kept = new Map(box.store.retention.runs(0, 99).runs.map(each => [each.id, each.acted]))
    expect([kept.get(dull.id), kept.get(acted.id) ?? true]).toEqual([false, true])
  })
})

describe('a picture', () => {
  test('is of now, or of so long after the event', async () => {
    const view = await run('  - save_picture: { camera: yard }')
    const [kept] = view.pictures
    expect(view.steps[0]?.result).toEqual({ camera: 'yard-1', pictures: [kept?.media] })
    expect(kept?.taken_at).toBe(new Date(box.clock.now()).toISOString())
    const id = await box.begin(box.hook(await box.save(file('  - save_picture: { after: 5s }')), {}, 'gate'))
    await box.quiet()
    expect(box.engine.run(id)?.pictures).toEqual([])
    box.clock.advance(5_000)
    expect((await box.ended(id)).pictures).toHaveLength(1)
  })

  test('of before is out of recordings, or of now where there are none', async () => {
    const without = await run('  - save_picture: { before: 10s }')
    expect(without.pictures).toHaveLength(1)
    expect(without.steps[0]?.result).toMatchObject({ before: expect.stringContaining('not available') })
    box.archive = { ...NOTHING_KEPT, frame: async (_, at) => picture('then', at) }
    const view = await run('  - save_picture: { before: 10s }')
    expect(view.pictures.map(({ taken_at }) => taken_at)).toEqual([
      new Date(box.clock.now() - 10_000).toISOString(),
    ])
    const both = await run('  - save_picture: { before: 10s, after: 0s }')
    expect(both.pictures).toHaveLength(2)
  })

  test('is what is shown with what is told afterwards', async () => {
    const view = await run('  - save_picture: {}\n  - alert: { severity: low, title: x, attach: [picture] }')
    expect(box.engine.notices({ limit: 1 })[0]?.media).toBe(view.pictures[0]?.media)
  })
})

const NOTHING_KEPT = {
  lacks: null,
  events: async () => [],
  evidence: async () => null,
  frame: async () => null,
}
