import { resolve } from 'node:path'
import { noLog } from '../../src/core/index.ts'
import { Supervisor } from '../../src/inference/index.ts'
import { Catalogue } from '../../src/models/index.ts'
import { detectorOf, readerOf, type Seen } from '../../src/vision/index.ts'

export const root = resolve(import.meta.dirname, '../..')
export const ownPictures = `${root}/templates/cases/pictures`
export const catalogue = Catalogue.load(`${root}/models`)
export const detector = detectorOf(catalogue.forTask('detect'))
export const reader = readerOf(catalogue.forTask('read'))

/** The inference process with the real jobs and some of the tests; it starts with its first job. */
export function inferenceProcess(): Supervisor {
  return new Supervisor({
    command: [process.execPath, `${import.meta.dirname}/child.ts`],
    modelsDir: catalogue.filesDir,
    log: noLog,
  })
}

export type Answer = { ok: true; seen: Seen } | { ok: false; message: string }

/** Runs the job itself, without the checks that the parent makes. */
export function see(
  inference: Supervisor,
  bytes: Uint8Array,
  want: { objects?: boolean; text?: boolean } = { objects: true },
): Promise<Answer> {
  const request = {
    bytes,
    detector: want.objects ? detector : null,
    reader: want.text ? reader : null,
    readMs: 20_000,
  }
  return inference.call<Answer>('vision.see', request, { timeoutMs: 30_000 })
}

export async function seen(...args: Parameters<typeof see>): Promise<Seen> {
  const answer = await see(...args)
  if (!answer.ok) throw new Error(answer.message)
  return answer.seen
}
