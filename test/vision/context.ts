import { resolve } from 'node:path'
import type { JobContext } from '../../src/inference/index.ts'
import { Catalogue } from '../../src/models/index.ts'
import { detectorOf, readerOf, type Seen } from '../../src/vision/index.ts'
import { visionJobs } from '../../src/vision/worker/index.ts'

export const root = resolve(import.meta.dirname, '../..')
export const ownPictures = `${root}/templates/cases/pictures`
export const catalogue = Catalogue.load(`${root}/models`)
export const detector = detectorOf(catalogue.forTask('detect'))
export const reader = readerOf(catalogue.forTask('read'))

/** A context as the inference host gives it, in this process. */
export function jobContext(): JobContext & { end(): Promise<void> } {
  const held = new Map<string, { value: Promise<unknown>; unload: (value: never) => Promise<void> }>()
  return {
    threads: 1,
    modelsDir: catalogue.filesDir,
    resource<T>(key: string, load: () => Promise<T>, unload: (value: T) => Promise<void>) {
      const one = held.get(key) ?? { value: load(), unload }
      held.set(key, one)
      return one.value as Promise<T>
    },
    async end() {
      for (const { value, unload } of held.values()) await unload((await value) as never)
      held.clear()
    },
  }
}

export type Answer = { ok: true; seen: Seen } | { ok: false; message: string }

/** Runs the real job on a picture. */
export async function see(
  context: JobContext,
  bytes: Uint8Array,
  want: { objects?: boolean; text?: boolean } = { objects: true },
): Promise<Answer> {
  const job = visionJobs['vision.see']
  if (!job) throw new Error('the job is gone')
  const request = {
    bytes,
    detector: want.objects ? detector : null,
    reader: want.text ? reader : null,
    readMs: 20_000,
  }
  return (await job(request, context)) as Answer
}

export async function seen(...args: Parameters<typeof see>): Promise<Seen> {
  const answer = await see(...args)
  if (!answer.ok) throw new Error(answer.message)
  return answer.seen
}
