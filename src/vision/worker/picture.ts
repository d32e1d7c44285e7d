/** Encoded bytes → pixels. Everything about the bytes is in doubt until it is checked here. */
import type { Sharp, SharpOptions } from 'sharp'
import { maxPictureBytes, maxPicturePixels } from '../protocol.ts'
import { pictureType } from '../sniff.ts'

/** A picture that cannot be used; the message says what to do. */
export class BadPicture extends Error {}

/** Upright pixels, three bytes each (red, green, blue). */
export interface Pixels {
  width: number
  height: number
  data: Uint8Array
}

/** A picture whose header was read, and nothing more. */
export interface Opened {
  /** Size of the upright picture. */
  width: number
  height: number
  /** Decodes it at the given size: a small size is decoded by fewer steps. */
  pixels(width: number, height: number): Promise<Pixels>
}

/** Grey behind transparent pixels, as around a picture that does not fill the detector's square. */
const background = '#727272'
const decodeSeconds = 20

/** Checks type, size and header. Throws `BadPicture`. */
export async function openPicture(bytes: Uint8Array): Promise<Opened> {
  if (bytes.length === 0)
    throw new BadPicture('the picture is empty: send the bytes of a JPEG, PNG or WebP file')
  if (bytes.length > maxPictureBytes) {
    throw new BadPicture(
      `the picture has ${bytes.length} bytes, at most ${maxPictureBytes} are taken: scale it down`,
    )
  }
  if (!pictureType(bytes)) throw new BadPicture('this is no JPEG, PNG or WebP picture: send one of these')

  const { default: sharp } = await import('sharp')
  const options: SharpOptions = { limitInputPixels: false, failOn: 'truncated', pages: 1 }
  const source = sharp(bytes, options)
  const header = await source.metadata().catch(unusable)
  const { width, height } = header.autoOrient
  if (header.width * header.height > maxPicturePixels) {
    throw new BadPicture(
      `the picture has ${header.width} × ${header.height} pixels, at most ${maxPicturePixels / 1e6} million are taken: scale it down`,
    )
  }
  return {
    width,
    height,
    pixels: (w, h) => rgb(source.clone().autoOrient(), w, h, w === width && h === height),
  }
}

/** The same picture at another size. */
export async function resized(pixels: Pixels, width: number, height: number): Promise<Pixels> {
  const { default: sharp } = await import('sharp')
  const raw = { width: pixels.width, height: pixels.height, channels: 3 as const }
  return rgb(sharp(pixels.data, { raw, limitInputPixels: false }), width, height, false)
}

/** The pixels as JPEG, for those who look at pictures themselves. */
export async function jpegOf({ width, height, data }: Pixels): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  const source = sharp(data, { raw: { width, height, channels: 3 }, limitInputPixels: false })
  const bytes = await source.jpeg({ quality: 85 }).timeout({ seconds: decodeSeconds }).toBuffer()
  // Of its own: what is sent to the parent is the whole buffer behind a view.
  return new Uint8Array(bytes)
}

async function rgb(source: Sharp, width: number, height: number, asItIs: boolean): Promise<Pixels> {
  if (!asItIs) source.resize(width, height, { fit: 'fill' })
  const { data, info } = await source
    .flatten({ background })
    .toColourspace('srgb')
    .timeout({ seconds: decodeSeconds })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(unusable)
  if (info.channels !== 3 || info.width !== width || info.height !== height) {
    throw new BadPicture('the picture cannot be turned into colours: save it anew as JPEG')
  }
  return { width, height, data }
}

function unusable(): never {
  throw new BadPicture('the picture is damaged or cut short: take or send it again')
}
