/** The parent's side, over the real inference process. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { type Inference, InferenceError } from '../../src/inference/index.ts'
import { Eyes, VisionError } from '../../src/vision/index.ts'
import { detector, inferenceProcess, ownPictures, reader } from './context.ts'

const inference = inferenceProcess()
afterAll(() => inference.stop())
const eyes = new Eyes(inference, { detector, reader })
const picture = (bytes: Uint8Array) => ({ bytes, takenAt: null, source: 'test' })
const van = new Uint8Array(readFileSync(join(ownPictures, 'gate-van-dhl.jpg')))
const failureOf = async (promise: Promise<unknown>) => {
  const error = await promise.catch((thrown: unknown) => thrown)
  return error instanceof VisionError ? error.failure : error
}

describe('eyes', () => {
  it('see things and text through the process', async () => {
    const what = await eyes.see(picture(van), { objects: true, text: true }, { timeoutMs: 100_000 })
    expect(what).toMatchObject({
      width: 640,
      height: 400,
      models: { detector: 'nanodet-416', reader: 'ppocr-v4' },
    })
    expect(what.detections.map(one => one.label)).toContain('truck')
    expect(what.lines?.map(line => line.text)).toEqual(['DHL EXPRESS'])
  })

  it('do only what is asked', async () => {
    const what = await eyes.see(picture(van), { objects: true, text: false }, { timeoutMs: 100_000 })
    expect(what).toMatchObject({ lines: null, models: { reader: null } })
    const text = await eyes.see(picture(van), { objects: false, text: true }, { timeoutMs: 100_000 })
    expect(text).toMatchObject({ detections: [], models: { detector: null } })
    expect(text.lines).toHaveLength(1)
    expect([what.cut, text.cut]).toEqual([false, false])
  })

  it('make a picture smaller for others who look', async () => {
    const options = { timeoutMs: 100_000 }
    const small = await eyes.shrink(picture(van), 320, options)
    expect([...small.bytes.slice(0, 3)]).toEqual([0xff, 0xd8, 0xff])
    expect(small.bytes.byteLength).toBe(small.bytes.buffer.byteLength)
    const look = (it: Uint8Array) => eyes.see(picture(it), { objects: true, text: false }, options)
    expect(await look(small.bytes)).toMatchObject({
      width: 320,
      height: 200,
      detections: [{ label: 'truck' }],
    })
    const same = await eyes.shrink(picture(van), 4000, options)
    expect(await look(same.bytes)).toMatchObject({ width: 640, height: 400 })
    expect(await failureOf(eyes.shrink(picture(van.slice(0, 9000)), 320, options))).toBe('no_picture')
    expect(await failureOf(eyes.shrink(picture(new Uint8Array(9)), 320, options))).toBe('no_picture')
    expect(await failureOf(eyes.shrink(picture(van), 320, { timeoutMs: 0 }))).toBe('vision_down')
  })

  it('say that time was up before all was read', async () => {
    const request = { bytes: van, detector: null, reader, readMs: -1 }
    const answer = await inference.call('vision.see', request, { timeoutMs: 100_000 })
    expect(answer).toMatchObject({ ok: true, seen: { lines: [], cut: true } })
  })

  it('send a view of a larger buffer without the rest of it', async () => {
    const large = new Uint8Array(van.length + 200_000_000)
    large.set(van, 1000)
    const what = await eyes.see(
      picture(large.subarray(1000, 1000 + van.length)),
      { objects: true, text: false },
      { timeoutMs: 100_000 },
    )
    expect(what.width).toBe(640)
  })

  it('say no_picture of what cannot be used', async () => {
    const want = { objects: true, text: false }
    const cut = picture(van.slice(0, 9000))
    expect(await failureOf(eyes.see(cut, want, { timeoutMs: 100_000 }))).toBe('no_picture')
    expect(await failureOf(eyes.see(picture(new Uint8Array(0)), want, { timeoutMs: 100_000 }))).toBe(
      'no_picture',
    )
  })

  it('say vision_down when there is no time, no process or no model', async () => {
    const want = { objects: true, text: false }
    expect(await failureOf(eyes.see(picture(van), want, { timeoutMs: 0 }))).toBe('vision_down')
    const gone: Inference = {
      call: () => Promise.reject(new InferenceError('crashed', 'it ended')),
      status: () => inference.status(),
    }
    expect(
      await failureOf(new Eyes(gone, { detector, reader }).see(picture(van), want, { timeoutMs: 100 })),
    ).toBe('vision_down')
    for (const models of [
      { detector: { ...detector, graph: 'nowhere.onnx' }, reader },
      { detector, reader: { ...reader, keys: 'nowhere.txt' } },
    ]) {
      const blind = new Eyes(inference, models)
      const asked = blind.see(picture(van), { objects: true, text: true }, { timeoutMs: 100_000 })
      const error = await asked.catch((thrown: unknown) => thrown)
      // What becomes the reason of a run tells nobody where the box keeps its files.
      expect(error).toMatchObject({
        failure: 'vision_down',
        message: expect.stringContaining('models verify'),
      })
      expect(String(error)).not.toContain('/')
    }
  })

  it('load nothing native into this process', () => {
    const mapped = readFileSync('/proc/self/maps', 'utf8')
    expect(mapped).not.toMatch(/onnxruntime|sharp|vips/)
  })
})
