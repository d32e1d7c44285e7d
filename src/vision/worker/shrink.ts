import type { Job } from '../../inference/index.ts'
import type { ShrinkAnswer, ShrinkRequest } from '../protocol.ts'
import { BadPicture, jpegOf, openPicture } from './picture.ts'

/** Makes an upright JPEG of a picture, no larger than asked, without what cameras write beside it. */
export const shrink: Job = async (payload): Promise<ShrinkAnswer> => {
  const { bytes, side } = payload as ShrinkRequest
  try {
    const picture = await openPicture(bytes)
    const scale = Math.min(1, side / Math.max(picture.width, picture.height))
    const size = (length: number) => Math.max(1, Math.round(length * scale))
    return { ok: true, bytes: await jpegOf(await picture.pixels(size(picture.width), size(picture.height))) }
  } catch (error) {
    if (error instanceof BadPicture) return { ok: false, message: error.message }
    throw error
  }
}
