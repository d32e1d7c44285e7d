import type { Picture } from '../../core/index.ts'
import type { Clip } from '../../kinds/index.ts'
import type { MediaRow } from '../../store/index.ts'
import { pictureType } from '../../vision/index.ts'
import type { EngineDeps } from '../ports.ts'

/** The bytes first, then the row that names them. Answers with the row's id. */
export async function keep(
  picture: Picture,
  runId: number,
  stepId: number,
  deps: EngineDeps,
): Promise<number> {
  return add(await store(picture, deps), runId, stepId, deps)
}

/** The same for a clip, whose file is taken over. */
export async function keepClip(
  { file, type, source, takenAt }: Clip,
  runId: number,
  stepId: number,
  deps: EngineDeps,
): Promise<number> {
  return add({ ...(await deps.media.putFile(file)), type, source, takenAt }, runId, stepId, deps)
}

async function add(
  row: Pick<MediaRow, 'hash' | 'bytes' | 'type' | 'source' | 'takenAt'>,
  runId: number,
  stepId: number,
  { store, clock }: EngineDeps,
): Promise<number> {
  const media = { ...row, runId, stepId, createdAt: clock.now() }
  return await store.write(() => store.media.add(media))
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
