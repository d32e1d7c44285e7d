/** Measuring, in the real child on the models that are there. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { measureBox } from '../../src/box/measure.ts'
import { resources } from '../../src/box/resources.ts'
import { systemClock } from '../../src/core/index.ts'
import { choosePreset, fingerprint, probe } from '../../src/hardware/index.ts'
import { writeModel } from '../inference/llama/gguf.ts'

const dir = mkdtempSync(join(tmpdir(), 'gatehouse-measure-'))
const hardware = probe()
const rest = { hardware, preset: choosePreset(hardware), resources: resources(), clock: systemClock }
afterAll(() => rmSync(dir, { recursive: true }))

test('a box is measured with all that it has', async () => {
  const path = join(dir, 'tiny.gguf')
  writeModel(path)
  const steps: string[] = []
  const { measured, problems } = await measureBox({
    ...rest,
    language: { file: 'tiny.gguf', path },
    budgetMs: 600_000,
    onStep: what => steps.push(what),
  })
  expect(problems).toEqual([])
  expect(steps).toEqual(['nanodet-416', 'ppocr-v4', 'tiny.gguf'])
  expect(measured).toMatchObject({
    box: fingerprint(hardware),
    detect: { model: 'nanodet-416', seconds: expect.any(Number) },
    read: { model: 'ppocr-v4', seconds: expect.any(Number) },
    language: { file: 'tiny.gguf', backend: 'cpu' },
  })
  const { read_per_second: read = 0, write_per_second: write = 0, turn_seconds } = measured.language ?? {}
  expect(read).toBeGreaterThan(0)
  expect(write).toBeGreaterThan(0)
  expect(turn_seconds).toBeCloseTo(1000 / read + 100 / write)
  expect(measured.detect?.seconds).toBeGreaterThan(0)
})

test('what cannot be measured is said, and costs only itself', async () => {
  const path = join(dir, 'broken.gguf')
  writeFileSync(path, 'GGUF')
  const { measured, problems } = await measureBox({
    ...rest,
    resources: { ...rest.resources, templates: dir },
    language: { file: 'broken.gguf', path },
  })
  expect(measured).toMatchObject({ detect: null, read: null, language: null })
  expect(problems).toEqual([
    expect.stringContaining('nanodet-416: ENOENT'),
    expect.stringContaining('ppocr-v4: ENOENT'),
    'broken.gguf: broken.gguf is cut off or damaged: copy it again',
  ])
})
