import type { Job } from '../../src/inference/index.ts'

export interface GraphRun {
  /** An ONNX file. */
  model: Uint8Array
  input: { name: string; shape: number[]; data: Float32Array }
}

/** Runs a model once; answers each output's shape and numbers. */
export const runGraph: Job = async payload => {
  const { model, input } = payload as GraphRun
  const ort = await import('onnxruntime-node')
  const session = await ort.InferenceSession.create(model)
  const answer = await session.run({ [input.name]: new ort.Tensor('float32', input.data, input.shape) })
  await session.release()
  return Object.fromEntries(
    Object.entries(answer).map(([name, { dims, data }]) => [name, { shape: [...dims], data }]),
  )
}
