/** What is made of what a box was measured to take. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import {
  describe,
  fingerprint,
  hardwareJson,
  keepMeasured,
  type Measured,
  measuredLimits,
  type Preset,
  probe,
  readMeasured,
} from '../../src/hardware/index.ts'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-measured-'))
const hardware = probe()
const preset: Preset = { preset: 'cpu', calls: 4, seconds: 120, why: 'a test' }
beforeEach(() => rmSync(join(dir, 'measured.json'), { force: true }))
afterAll(() => rmSync(dir, { recursive: true }))

const measured = (turn: number | null, box = fingerprint(hardware)): Measured => ({
  at: Date.UTC(2026, 10, 30, 9, 5),
  box,
  detect: { model: 'nanodet', seconds: 0.0341 },
  read: null,
  language:
    turn === null
      ? null
      : {
          file: 'qwen.gguf',
          backend: 'cpu',
          load_seconds: 9,
          read_per_second: 61.3,
          write_per_second: 7.26,
          turn_seconds: turn,
        },
})

test.each([
  [null, null, 4],
  [1, 120, 4],
  [24, 5, 4],
  [25, 4, 3],
  [60, 2, 1],
  [61, 1, 0],
  [200, 0, 0],
])('a turn of %s s leaves room for %s turns and %i tool calls', (turn, turns, calls) => {
  expect(measuredLimits(preset, measured(turn))).toEqual({ turns, calls, seconds: 120 })
})

test('it is kept for this very box, and nothing else is believed', async () => {
  expect(readMeasured(dir, hardware)).toBeNull()
  await keepMeasured(dir, measured(25))
  expect(readMeasured(dir, hardware)).toEqual(measured(25))
  expect(readdirSync(dir)).toEqual(['measured.json'])
  expect(readMeasured(dir, { ...hardware, ramBytes: 1 })).toBeNull()
  const path = join(dir, 'measured.json')
  const good = readFileSync(path, 'utf8')
  for (const bad of ['', '{', '[]', good.replace('61.3', '0'), good.replace('"at"', '"it"')]) {
    writeFileSync(path, bad)
    expect(readMeasured(dir, hardware), bad).toBeNull()
  }
  await expect(keepMeasured(join(dir, 'nowhere'), measured(1))).rejects.toMatchObject({
    code: 'data_unusable',
  })
})

test('people are told with its date, and so are programs', () => {
  const lines = (turn: number | null) => describe(hardware, preset, measured(turn)).split('\n')
  expect(lines(25)).toEqual(
    expect.arrayContaining([
      'Measured 2026-11-30 09:05 UTC:',
      '  nanodet: 0.034 s to find things in a picture',
      '  qwen.gguf (cpu): reads 61 and writes 7.3 tokens a second, 25 s a turn (1,000 tokens read, 100 written)',
      '  4 turns fit 120 s: at most 3 tool calls for an AI step.',
    ]),
  )
  expect(lines(90)).toContain('  An investigation needs two turns, and 1 fits 120 s: choose a smaller model.')
  expect(lines(null)).toContain('  No language model was measured.')
  expect(hardwareJson(hardware, preset, measured(25))).toMatchObject({
    limits: { calls: 3, seconds: 120, turns: 4 },
    measured: { at: '2026-11-30T09:05:00.000Z', language: { turn_seconds: 25 } },
  })
})
