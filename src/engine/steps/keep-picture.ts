import type { Picture } from '../../core/index.ts'
import { pictureType } from '../../vision/index.ts'
import type { EngineDeps } from '../ports.ts'

/** The bytes first, then the row that names them. Answers with the row's id. */
export async function keep(
  picture: Picture,
  runId: number,
  stepId: number,
  deps: EngineDeps,
): Promise<number> {
  const row = await store(picture, deps)
  const media = { ...row, runId, stepId, createdAt: deps.clock.now() }
  return deps.store.write(() => deps.store.media.add(media))
}

/** Stores a picture's bytes; answers with what its row needs. */
export async function store(picture: Picture, { media }: EngineDeps) {
  const { hash, bytes } = await media.put(picture.bytes)
  return { hash, bytes, type: mediaType(picture.bytes), source: picture.source, takenAt: picture.takenAt }
}

function mediaType(bytes: Uint8Array): string {
  const type = pictureType(bytes)
  return type ? `image/${type}` : 'application/octet-stream'
}
