/** Models that are brought by a file: what is taken, what is refused, and what a crash or a full disk leaves. */
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { GatehouseError, ManualClock } from '../../src/core/index.ts'
import { Catalogue, InstalledModels } from '../../src/models/index.ts'
import { writeModel } from '../inference/llama/gguf.ts'
import { catalogueWith, sha256 } from './known.ts'

const gigabyte = 1024 ** 3
let dir = ''
let stick = ''
let tiny: Buffer
beforeAll(() => {
  const path = join(mkdtempSync(join(tmpdir(), 'gatehouse-tiny-')), 'tiny.gguf')
  writeModel(path)
  tiny = readFileSync(path)
  rmSync(dirname(path), { recursive: true })
})
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-models-'))
  stick = join(dir, 'stick')
  mkdirSync(stick)
  writeFileSync(join(stick, 'tiny.gguf'), tiny)
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const clock = new ManualClock(1_800_000_000_000)
const onStick = (name: string) => join(stick, name)
const folder = () => readdirSync(join(dir, 'data/models')).sort()

function installed(options: { ramBytes?: number; catalogue?: Catalogue } = {}) {
  const {
    ramBytes = 8 * gigabyte,
    catalogue = Catalogue.load(resolve(import.meta.dirname, '../../models')),
  } = options
  return new InstalledModels({ dataDir: join(dir, 'data'), catalogue, hardware: { ramBytes }, clock })
}

async function refusal(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await work.then(
    () => new Error('it was taken'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GatehouseError)) throw error
  expect(error.message).not.toContain('\n')
  return { code: error.code, message: error.message }
}

describe('a file from a stick', () => {
  it('is copied, remembered with its hash, and said to be unknown', async () => {
    const models = installed()
    const record = await models.add(onStick('tiny.gguf'))
    const bytes = readFileSync(onStick('tiny.gguf'))
    expect(record).toMatchObject({
      file: 'tiny.gguf',
      bytes: bytes.length,
      sha256: sha256(bytes),
      addedAt: clock.now(),
      known: null,
      facts: { format: 'gguf', task: 'language', architecture: 'llama', quantisation: 'F32', context: 4096 },
      warnings: [expect.stringContaining('not known here')],
    })
    expect(record.facts.needBytes).toBeGreaterThan(bytes.length)
    expect(folder()).toEqual(['tiny.gguf', 'tiny.gguf.json'])
    expect(readFileSync(models.path('tiny.gguf'))).toEqual(bytes)
    expect(await models.list()).toMatchObject([
      { file: 'tiny.gguf', misfit: null, record: { sha256: record.sha256 } },
    ])
    // Once more is no other.
    expect((await models.add(onStick('tiny.gguf'))).sha256).toBe(record.sha256)
  })

  it('is known by its hash, under whichever name', async () => {
    copyFileSync(onStick('tiny.gguf'), onStick('mine.gguf'))
    const catalogue = catalogueWith(dir, { 'tiny.gguf': readFileSync(onStick('tiny.gguf')) })
    const record = await installed({ catalogue }).add(onStick('mine.gguf'))
    expect(record).toMatchObject({ file: 'mine.gguf', known: 'tiny', warnings: [] })
  })

  it('is refused where it bears the name of a known one and is another', async () => {
    const catalogue = catalogueWith(dir, { 'tiny.gguf': Buffer.from('another') })
    const models = installed({ catalogue })
    expect(await refusal(models.add(onStick('tiny.gguf')))).toMatchObject({
      code: 'model_invalid',
      message: expect.stringMatching(/not the file that the catalogue knows .* give it another name/),
    })
    expect(folder()).toEqual([])
  })

  it('does not take the place of another', async () => {
    const models = installed()
    await models.add(onStick('tiny.gguf'))
    writeModel(onStick('tiny.gguf'), { seed: 2 })
    expect(await refusal(models.add(onStick('tiny.gguf')))).toMatchObject({ code: 'model_exists' })
    expect(folder()).toEqual(['tiny.gguf', 'tiny.gguf.json'])
    expect((await models.verify()).map(({ state }) => state)).toEqual(['ok'])
  })

  it('that lies in the folder already is only looked at', async () => {
    const models = installed()
    mkdirSync(models.dir, { recursive: true })
    renameSync(onStick('tiny.gguf'), models.path('tiny.gguf'))
    expect(await models.list()).toMatchObject([{ file: 'tiny.gguf', record: null }])
    expect((await models.verify()).map(({ state }) => state)).toEqual(['wrong'])
    await models.add(models.path('tiny.gguf'))
    expect((await models.verify()).map(({ state }) => state)).toEqual(['ok'])
  })
})

describe('what cannot be used is refused, and nothing of it stays', () => {
  it.each<[string, string, (path: string) => void, RegExp]>([
    ['no model', 'text.gguf', path => writeFileSync(path, 'hello'), /is no GGUF file/],
    [
      'a part of a download',
      'part.gguf',
      path => {
        writeFileSync(path, tiny)
        truncateSync(path, 200_000)
      },
      /its weights need/,
    ],
    ['a vocabulary', 'lost.gguf', path => writeFileSync(path, vocabularyOnly()), /vocabulary only/],
    ['a link', 'link.gguf', path => symlinkSync('/etc/passwd', path), /is a link/],
    ['a folder', 'folder.gguf', path => mkdirSync(path), /is no file/],
    ['a device', 'device.gguf', path => Bun.spawnSync(['mkfifo', path]), /is no file/],
    ['a name that is a flag', '-rf.gguf', path => writeFileSync(path, tiny), /cannot be its name/],
    ['a name that hides', '.hidden.gguf', path => writeFileSync(path, tiny), /cannot be its name/],
    ['another kind of file', 'model.safetensors', path => writeFileSync(path, 'x'), /cannot be its name/],
    ['no ONNX file', 'text.onnx', path => writeFileSync(path, 'hello'), /is no ONNX file/],
    ['nothing', 'empty.onnx', path => writeFileSync(path, ''), /cut off/],
  ])('%s', async (_, name, make, message) => {
    make(onStick(name))
    const models = installed()
    expect((await refusal(models.add(onStick(name)))).message).toMatch(message)
    expect(existsSync(models.dir) ? folder() : []).toEqual([])
  })

  it('what is not there', async () => {
    expect(await refusal(installed().add(onStick('gone.gguf')))).toMatchObject({ code: 'model_unreadable' })
  })

  it('what does not fit into memory, unless that is wanted', async () => {
    const models = installed({ ramBytes: gigabyte + 1024 })
    expect(await refusal(models.add(onStick('tiny.gguf')))).toEqual({
      code: 'model_misfit',
      message: expect.stringMatching(/needs about \d+ MB of memory, and this box has 0 MB for it/),
    })
    await models.add(onStick('tiny.gguf'), { force: true })
    expect(await models.list()).toMatchObject([{ misfit: expect.stringContaining('needs about') }])
  })

  it('names that lead elsewhere, for every use', async () => {
    const models = installed()
    for (const name of ['../x.gguf', '/etc/x.gguf', 'a/b.gguf', '..gguf', 'x..gguf', '', 'x.gguf\0', 'x-']) {
      expect(() => models.path(name), name).toThrow(GatehouseError)
      expect(await refusal(models.remove(name)), name).toMatchObject({ code: 'model_unknown' })
      expect(await refusal(models.verify(name)), name).toMatchObject({ code: 'model_unknown' })
      expect(await refusal(models.get(name)), name).toMatchObject({ code: 'model_unknown' })
    }
  })

  it('a check of what was never here', async () => {
    const unknown = {
      code: 'model_unknown',
      message: expect.stringContaining('no model gone.gguf is installed'),
    }
    expect(await refusal(installed().verify('gone.gguf'))).toMatchObject(unknown)
  })
})

describe('an ONNX file', () => {
  const shipped = resolve(import.meta.dirname, '../../models/files/nanodet-416.onnx')

  it('is taken where all its parts are there', async () => {
    copyFileSync(shipped, onStick('mine.onnx'))
    expect(await installed().add(onStick('mine.onnx'))).toMatchObject({
      facts: { format: 'onnx', task: 'other' },
    })
  })

  it('is refused where some of it is not', async () => {
    for (const length of [1, 20, 5_000, 15_000_000]) {
      copyFileSync(shipped, onStick('cut.onnx'))
      truncateSync(onStick('cut.onnx'), length)
      expect((await refusal(installed().add(onStick('cut.onnx')))).message).toMatch(/cut off|no ONNX/)
    }
  })
})

describe('the folder', () => {
  it('shows what changed, went missing or is a link', async () => {
    const models = installed()
    for (const name of ['one', 'two', 'three']) {
      copyFileSync(onStick('tiny.gguf'), onStick(`${name}.gguf`))
      await models.add(onStick(`${name}.gguf`))
    }
    appendFileSync(models.path('one.gguf'), 'x')
    rmSync(models.path('two.gguf'))
    symlinkSync(onStick('tiny.gguf'), models.path('linked.gguf'))
    const states = Object.fromEntries((await models.verify()).map(({ path, state }) => [path, state]))
    expect(states).toEqual({
      'one.gguf': 'wrong',
      'two.gguf': 'missing',
      'three.gguf': 'ok',
      'linked.gguf': 'missing',
    })
    expect((await models.list()).map(({ file }) => file)).toEqual(['one.gguf', 'three.gguf'])
    await models.remove('two.gguf')
    await models.remove('one.gguf')
    expect((await models.verify()).map(({ path }) => path)).toEqual(['linked.gguf', 'three.gguf'])
    expect(await refusal(models.remove('one.gguf'))).toMatchObject({ code: 'model_unknown' })
  })

  it('is cleared of what a killed copy left a day ago, and of nothing younger', async () => {
    const models = installed()
    mkdirSync(models.dir, { recursive: true })
    for (const name of ['.copying-old', '.copying-new']) writeFileSync(join(models.dir, name), 'x')
    utimesSync(join(models.dir, '.copying-old'), 1, 1)
    await models.add(onStick('tiny.gguf'))
    expect(folder()).toEqual(['.copying-new', 'tiny.gguf', 'tiny.gguf.json'])
  })

  it('outlives records that say what they should not', async () => {
    const models = installed()
    await models.add(onStick('tiny.gguf'))
    for (const text of ['', '{', '[]', '{"file":"../x"}', '{"file":"tiny.gguf"}']) {
      writeFileSync(join(models.dir, 'tiny.gguf.json'), text)
      expect(await models.list()).toMatchObject([{ file: 'tiny.gguf', record: null }])
    }
  })
})

/** Right in every part, without a single weight. */
function vocabularyOnly(): Buffer {
  const head = Buffer.alloc(24)
  head.write('GGUF')
  head.writeUInt32LE(3, 4)
  return head
}
