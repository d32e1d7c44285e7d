/** A child that really loads ONNX Runtime and runs the detector's graph. */
import { join } from 'node:path'
import { runHost } from '../../src/inference/index.ts'

const side = 416

await runHost({
  detect: async (_, { modelsDir, threads, resource }) => {
    const ort = await import('onnxruntime-node')
    const session = await resource(
      'detector',
      () => ort.InferenceSession.create(join(modelsDir, 'nanodet-416.onnx'), { intraOpNumThreads: threads }),
      loaded => loaded.release(),
    )
    const input = new ort.Tensor('float32', new Float32Array(3 * side * side), [1, 3, side, side])
    const answer = await session.run({ [session.inputNames[0] ?? '']: input })
    return Object.keys(answer).length
  },
  // Its maker's telemetry sends from a thread of its own, a while after the session was made.
  linger: async ms => Bun.sleep(Number(ms)),
})
