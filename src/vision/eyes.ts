import type { Picture } from '../core/index.ts'
import { type Inference, InferenceError } from '../inference/index.ts'
import {
  type DetectorModel,
  maxPictureBytes,
  type PaintAnswer,
  type PaintRequest,
  paintJob,
  type ReaderModel,
  type SeeAnswer,
  type SeeRequest,
  type ShrinkAnswer,
  type ShrinkRequest,
  seeJob,
  shrinkJob,
} from './protocol.ts'
import { pictureType } from './sniff.ts'
import { type Seen, type Vision, VisionError } from './types.ts'

/** Share of the time given that may go into reading text; the rest is for decoding and for the way. */
const READ_SHARE = 0.7

/** Sees by asking the inference process: no picture is decoded in this one. */
export class Eyes implements Vision {
  readonly #inference: Inference
  readonly #models: { detector: DetectorModel; reader: ReaderModel }

  constructor(inference: Inference, models: { detector: DetectorModel; reader: ReaderModel }) {
    this.#inference = inference
    this.#models = models
  }

  async see(
    picture: Picture,
    want: { objects: boolean; text: boolean },
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Seen> {
    const request: SeeRequest = {
      bytes: bytesOf(picture),
      detector: want.objects ? this.#models.detector : null,
      reader: want.text ? this.#models.reader : null,
      readMs: options.timeoutMs * READ_SHARE,
    }
    const answer = await this.#ask<SeeAnswer>(seeJob, request, options)
    if (!answer.ok) throw new VisionError('no_picture', answer.message)
    return answer.seen
  }

  async shrink(
    picture: Picture,
    side: number,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Picture> {
    const request: ShrinkRequest = { bytes: bytesOf(picture), side }
    const answer = await this.#ask<ShrinkAnswer>(shrinkJob, request, options)
    if (!answer.ok) throw new VisionError('no_picture', answer.message)
    return { ...picture, bytes: answer.bytes }
  }

  /** The same picture as an upright JPEG of its size with nothing of it to be seen inside the polygons. Rejects with `VisionError` only. */
  async paint(
    picture: Picture,
    polygons: readonly [number, number][][],
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Picture> {
    const request: PaintRequest = { bytes: bytesOf(picture), polygons }
    const answer = await this.#ask<PaintAnswer>(paintJob, request, options)
    if (!answer.ok) throw new VisionError('no_picture', answer.message)
    return { ...picture, bytes: answer.bytes }
  }

  async #ask<T>(
    job: string,
    request: object,
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<T> {
    try {
      return await this.#inference.call<T>(job, request, options)
    } catch (error) {
      const why = error instanceof InferenceError ? `${error.failure}: ${error.message}` : String(error)
      throw new VisionError('vision_down', why)
    }
  }
}

/** In an own buffer: what is sent is the whole buffer behind a view. */
function bytesOf({ bytes }: Picture): Uint8Array {
  if (bytes.length > maxPictureBytes || !pictureType(bytes)) {
    throw new VisionError('no_picture', 'the picture is too large or no JPEG, PNG or WebP: send another')
  }
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice()
}
