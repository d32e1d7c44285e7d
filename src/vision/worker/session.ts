/** ONNX sessions, made on first use and dropped by the host when idle. */
import { basename, join } from 'node:path'
import type { InferenceSession, Tensor } from 'onnxruntime-node'
import type { JobContext } from '../../inference/index.ts'

/** A model with one input; what it answers is found by output name. */
export interface Network {
  outputs: readonly string[]
  run(data: Float32Array, dims: number[]): Promise<Record<string, Tensor>>
}

/**
 * `shapes`: whether every input has the same shape. Where they change, the memory that the runtime would keep for
 * the largest (100 MB and more) goes back after each run.
 */
export async function network(
  context: JobContext,
  file: string,
  shapes: 'fixed' | 'changing',
): Promise<Network> {
  const load = () => create(join(context.modelsDir, file), threadsFor(context.threads), shapes === 'fixed')
  const { session, run } = await context.resource(`onnx:${file}`, load, loaded => loaded.session.release())
  return { outputs: session.outputNames, run }
}

/**
 * One more than what is meant for long work: a picture takes tens of milliseconds, and threads that sleep while
 * they wait were never slower for it, on an idle and on a busy two-core box. More than four bring no more.
 */
function threadsFor(longWork: number): number {
  return Math.min(4, longWork + 1)
}

interface Loaded {
  session: InferenceSession
  run: Network['run']
}

async function create(path: string, threads: number, keepMemory: boolean): Promise<Loaded> {
  const ort = await import('onnxruntime-node')
  const loading = ort.InferenceSession.create(path, {
    intraOpNumThreads: threads,
    graphOptimizationLevel: 'all',
    enableCpuMemArena: keepMemory,
    // Waiting threads sleep: spinning would take the cores from the engine and from each other.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
  const session = await loading.catch(() => {
    // The runtime's own words name the folder, which is nobody's business in a run.
    throw new Error(`the model ${basename(path)} cannot be loaded: see “gatehouse models verify”`)
  })
  const [input = ''] = session.inputNames
  const run: Network['run'] = async (data, dims) => {
    const answer = await session.run({ [input]: new ort.Tensor('float32', data, dims) })
    return answer as Record<string, Tensor>
  }
  return { session, run }
}

/** The numbers of an output. */
export function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error('the model answers other than expected')
  return tensor.data
}
