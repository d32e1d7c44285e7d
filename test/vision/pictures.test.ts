/** Pictures as they come from outside: odd, broken and hostile ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { maxPictureBytes, pictureType } from '../../src/vision/index.ts'
import { inferenceProcess, ownPictures, see, seen } from './context.ts'

const inference = inferenceProcess()
afterAll(() => inference.stop())
const person = new Uint8Array(readFileSync(join(ownPictures, 'person.jpg')))
const text = (content: string) => new TextEncoder().encode(content)
const bytesOf = async (image: Sharp) => new Uint8Array(await image.toBuffer())
const best = async (bytes: Uint8Array, label: string) => {
  const { detections, width, height } = await seen(inference, bytes)
  const found = detections.find(one => one.label === label)
  return found ? { ...found, width, height } : null
}

function pngChunk(kind: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(kind), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** A PNG of a few kilobytes that claims (and would unpack to) `side` × `side` pixels. */
function bomb(side: number): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([1, 0], 8)
  const rows = deflateSync(Buffer.alloc(side * (Math.ceil(side / 8) + 1)), { level: 1 })
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return new Uint8Array(
    Buffer.concat([
      signature,
      pngChunk('IHDR', header),
      pngChunk('IDAT', rows),
      pngChunk('IEND', Buffer.alloc(0)),
    ]),
  )
}

/** The most memory that a process ever held, MB. */
function peakOf(pid: number | null): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

describe('what is no picture', () => {
  const gif = text(`GIF89a${'\0'.repeat(40)}`)
  it.each([
    ['nothing', new Uint8Array(0)],
    [
      'an SVG',
      text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
    ],
    ['a GIF', gif],
    ['a PDF', text('%PDF-1.7\n1 0 obj\n')],
    ['a TIFF', new Uint8Array([0x49, 0x49, 0x2a, 0, 8, 0, 0, 0])],
    ['a page', text('<!doctype html><title>camera</title>')],
    ['only a JPEG signature', new Uint8Array([0xff, 0xd8, 0xff])],
    ['only a PNG signature', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
    ['a RIFF that is no WebP', text(`RIFF\0\0\0\0WAVEfmt ${'\0'.repeat(30)}`)],
    ['a JPEG cut short', person.slice(0, person.length / 2)],
    ['a JPEG with its header only', person.slice(0, 700)],
    ['more bytes than are taken', new Uint8Array(maxPictureBytes + 1).fill(0xff)],
  ])('%s is refused in one line', async (_, bytes) => {
    const answer = await see(inference, bytes)
    expect(answer).toMatchObject({ ok: false, message: expect.stringMatching(/^[^\n]{20,200}$/) })
  })

  it('a picture that unpacks to far more pixels than it has bytes is refused before it is unpacked', async () => {
    const bytes = bomb(30_000)
    expect(bytes.length).toBeLessThan(2_000_000)
    await see(inference, person, { objects: true, text: true })
    const before = peakOf(inference.status().pid)
    const answer = await see(inference, bytes, { objects: true, text: true })
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('30000 × 30000') })
    expect(peakOf(inference.status().pid) - before).toBeLessThan(50)
  })

  it('bytes that changed on the way are refused or seen, and never end the process', async () => {
    let seed = 7
    for (let round = 0; round < 8; round++) {
      const bytes = person.slice()
      for (let i = 0; i < 40; i++) {
        seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff
        bytes[3 + (seed % (bytes.length - 3))] = seed >> 11
      }
      expect(typeof (await see(inference, bytes)).ok).toBe('boolean')
    }
    expect(inference.status().restarts).toBe(0)
  })
})

/** The person of the sample picture: left of the middle, upright. */
function expectWhereItStands(found: Awaited<ReturnType<typeof best>>): void {
  expect(found).toMatchObject({ width: 640, height: 424 })
  const [left = 0, top = 0, right = 0, bottom = 0] = found?.box ?? []
  expect(left).toBeGreaterThan(180)
  expect(right).toBeLessThan(310)
  expect(top).toBeGreaterThan(70)
  expect(top).toBeLessThan(130)
  expect(bottom).toBeGreaterThan(340)
}

describe('pictures of every kind', () => {
  it('are told by their content', async () => {
    expect(pictureType(person)).toBe('jpeg')
    expect(pictureType(await bytesOf(sharp(person).png()))).toBe('png')
    expect(pictureType(await bytesOf(sharp(person).webp()))).toBe('webp')
    expect(pictureType(text('RIFF'))).toBeNull()
  })

  const made: Record<string, () => Promise<Uint8Array>> = {
    png: () => bytesOf(sharp(person).png()),
    'png with a palette': () => bytesOf(sharp(person).png({ palette: true })),
    'png of 16 bits': () => bytesOf(sharp(person).toColourspace('rgb16').png()),
    'png with transparency': () => bytesOf(sharp(person).ensureAlpha(0.99).png()),
    webp: () => bytesOf(sharp(person).webp({ quality: 90 })),
    'progressive jpeg': () => bytesOf(sharp(person).jpeg({ progressive: true, quality: 90 })),
    'cmyk jpeg': () => bytesOf(sharp(person).toColourspace('cmyk').jpeg({ quality: 90 })),
  }
  it.each(Object.entries(made))('a person is seen in a %s', async (_, make) => {
    expectWhereItStands(await best(await make(), 'person'))
  })

  it('a grey picture is seen', async () => {
    const grey = await bytesOf(sharp(join(ownPictures, 'gate-car-plate.jpg')).greyscale().jpeg())
    expect(await best(grey, 'car')).toMatchObject({ label: 'car' })
  })

  it('of an animation the first frame is looked at', async () => {
    const frames = ['yard-empty.jpg', 'gate-car-plate.jpg'].map(name => join(ownPictures, name))
    const animation = await bytesOf(sharp(frames, { join: { animated: true } }).webp())
    const what = await seen(inference, animation)
    expect(what).toMatchObject({ width: 640, height: 400, detections: [] })
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('orientation %i is set upright', async orientation => {
    // Turned the other way first, so that the note in the file sets it right again; sharp mirrors before it turns.
    const undo: Record<number, (image: Sharp) => Sharp> = {
      1: image => image,
      2: image => image.flop(),
      3: image => image.rotate(180),
      4: image => image.flip(),
      5: image => image.flop().rotate(270),
      6: image => image.rotate(270),
      7: image => image.flop().rotate(90),
      8: image => image.rotate(90),
    }
    const turned = await (undo[orientation] ?? (image => image))(sharp(person)).png().toBuffer()
    const bytes = await bytesOf(sharp(turned).withMetadata({ orientation }).jpeg({ quality: 90 }))
    expectWhereItStands(await best(bytes, 'person'))
  })

  it('a strip of one row is no danger', async () => {
    const strip = await bytesOf(
      sharp({ create: { width: 4000, height: 1, channels: 3, background: '#555' } }).png(),
    )
    expect(await see(inference, strip, { objects: true, text: true })).toMatchObject({ ok: true })
    const dot = await bytesOf(
      sharp({ create: { width: 1, height: 1, channels: 3, background: '#555' } }).png(),
    )
    expect(await see(inference, dot, { objects: true, text: true })).toMatchObject({ ok: true })
  })

  it('boxes stay in the picture, of a large one too', async () => {
    const large = await bytesOf(sharp(person).resize(3840).jpeg())
    const what = await seen(inference, large)
    expect(what.width).toBe(3840)
    expect(what.detections.map(one => one.label)).toContain('person')
    for (const { box } of what.detections) {
      expect(Math.min(...box)).toBeGreaterThanOrEqual(0)
      expect(box[2]).toBeLessThanOrEqual(what.width)
      expect(box[3]).toBeLessThanOrEqual(what.height)
    }
  })
})
