/**
 * The bare program that a Look is measured against: sharp and onnxruntime with their own defaults, one picture
 * after the other in one process, no protocol, no limits, no checks. It detects the same things.
 */
import { join } from 'node:path'
import type { Job } from '../../src/inference/index.ts'

const S = 416
const MEAN = [103.53, 116.28, 123.675]
const DEVIATION = [57.375, 57.12, 58.395]

export interface BareRequest {
  bytes: Uint8Array
}

/** Milliseconds from encoded bytes to the number of boxes over the threshold. */
export const bareLook: Job = async (payload, { resource, modelsDir }) => {
  const { bytes } = payload as BareRequest
  const { default: sharp } = await import('sharp')
  const ort = await import('onnxruntime-node')
  const session = await resource(
    'bare',
    () => ort.InferenceSession.create(join(modelsDir, 'nanodet-416.onnx')),
    loaded => loaded.release(),
  )
  const started = performance.now()
  const image = sharp(bytes)
  const { width, height } = await image.metadata()
  const raw = await image
    .resize(S, S, { fit: 'contain', background: '#727272' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer()
  const input = new Float32Array(3 * S * S)
  for (let c = 0; c < 3; c++) {
    const mean = MEAN[c] as number
    const deviation = DEVIATION[c] as number
    for (let p = 0; p < S * S; p++) input[c * S * S + p] = ((raw[p * 3 + 2 - c] as number) - mean) / deviation
  }
  const outputs = await session.run({ input_1: new ort.Tensor('float32', input, [1, 3, S, S]) })
  let found = 0
  for (const { data, dims } of Object.values(outputs)) {
    if (dims[2] !== 80) continue
    for (const score of data as Float32Array) if (score >= 0.4) found++
  }
  return { ms: performance.now() - started, found, width, height }
}
