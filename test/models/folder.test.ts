/** Models that are a folder: what of it is taken, what is refused, and what is left of what was not. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GatehouseError, ManualClock } from '../../src/core/index.ts'
import { Catalogue, InstalledModels } from '../../src/models/index.ts'
import { writeTiny } from '../vision/answer/tiny.ts'
import { sha256 } from './known.ts'

const clock = new ManualClock(1_800_000_000_000)
let dir = ''
let brought = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-folder-'))
  brought = join(dir, 'stick', 'SmolVLM-256M-Instruct')
  writeTiny(brought)
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function installed(ramBytes = 8 * 1024 ** 3): InstalledModels {
  const catalogue = Catalogue.load(resolve(import.meta.dirname, '../../models'))
  return new InstalledModels({ dataDir: join(dir, 'data'), catalogue, hardware: { ramBytes }, clock })
}
const inside = (...parts: string[]) => join(dir, 'data/models', ...parts)
const onStick = (...parts: string[]) => join(brought, ...parts)

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it was taken'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof GatehouseError)) throw error
  expect(error.message).not.toContain('\n')
  return `${error.code}: ${error.message}`
}

describe('a folder from a stick', () => {
  it('is copied as far as it is used, with a hash for each file', async () => {
    writeFileSync(onStick('README.md'), 'hello')
    writeFileSync(onStick('run-me.py'), 'import os')
    writeFileSync(onStick('onnx/decoder_model_merged_fp16.onnx'), 'never looked at: another one is better')
    const record = await installed().add(brought)
    expect(record).toMatchObject({
      file: 'SmolVLM-256M-Instruct',
      addedAt: clock.now(),
      known: null,
      facts: { format: 'folder', task: 'answer', architecture: 'smolvlm' },
      warnings: [expect.stringContaining('not known here')],
    })
    const files = record.files ?? []
    expect(files.map(({ path }) => path).sort()).toEqual(
      readdirSync(inside('SmolVLM-256M-Instruct'), { recursive: true, encoding: 'utf8' })
        .filter(name => name !== 'onnx')
        .sort(),
    )
    expect(files.map(({ path }) => path)).toContain('onnx/vision_encoder.onnx')
    expect(files.some(({ path }) => /README|run-me/.test(path))).toBe(false)
    for (const { path, sha256: hash, bytes } of files) {
      const copy = readFileSync(inside('SmolVLM-256M-Instruct', path))
      expect([hash, bytes]).toEqual([sha256(copy), copy.length])
    }
    expect(record.bytes).toBe(files.reduce((sum, { bytes }) => sum + bytes, 0))
    expect(readdirSync(inside()).sort()).toEqual(['SmolVLM-256M-Instruct', 'SmolVLM-256M-Instruct.json'])
  })

  it('is listed, held against its hashes, and removed whole', async () => {
    const models = installed()
    const record = await models.add(brought)
    expect(await models.list()).toEqual([{ file: record.file, bytes: record.bytes, record, misfit: null }])
    expect(await models.verify()).toMatchObject([{ model: record.file, state: 'ok' }])
    appendFileSync(inside(record.file, 'tokenizer.json'), ' ')
    expect(await models.verify(record.file)).toMatchObject([{ state: 'wrong' }])
    rmSync(inside(record.file, 'tokenizer.json'))
    expect(await models.verify()).toMatchObject([{ state: 'wrong' }])
    await models.remove(record.file)
    expect(readdirSync(inside())).toEqual([])
    expect(await refusal(models.remove(record.file))).toContain('model_unknown')
  })

  it('brought again is the same; another one of its name is refused', async () => {
    const models = installed()
    const { sha256: first } = await models.add(brought)
    expect((await models.add(brought)).sha256).toBe(first)
    appendFileSync(onStick('tokenizer_config.json'), ' ')
    expect(await refusal(models.add(brought))).toContain('model_exists')
    expect(readdirSync(inside()).sort()).toEqual(['SmolVLM-256M-Instruct', 'SmolVLM-256M-Instruct.json'])
  })

  it('that was put into the folder by hand is looked at where it lies', async () => {
    const models = installed()
    mkdirSync(inside(), { recursive: true })
    renameSync(brought, inside('by-hand'))
    expect(await models.list()).toMatchObject([{ file: 'by-hand', record: null }])
    expect((await models.add(inside('by-hand'))).facts.architecture).toBe('smolvlm')
    expect(await models.verify()).toMatchObject([{ state: 'ok' }])
  })

  it('takes what of a part lies beside it', async () => {
    renameSync(onStick('onnx/embed_tokens.onnx'), onStick('onnx/embed_tokens_fp16.onnx'))
    writeFileSync(onStick('onnx/embed_tokens_fp16.onnx_data'), 'numbers')
    writeFileSync(onStick('onnx/embed_tokens_fp16.onnx_data_1'), 'more')
    writeFileSync(onStick('onnx/embed_tokens_fp16.onnx_database'), 'what else')
    const { files = [], facts } = await installed().add(brought)
    expect(files.map(({ path }) => path).filter(path => path.includes('embed'))).toEqual([
      'onnx/embed_tokens_fp16.onnx',
      'onnx/embed_tokens_fp16.onnx_data',
      'onnx/embed_tokens_fp16.onnx_data_1',
    ])
    expect(facts.quantisation).toBe('fp32, fp16')
  })
})

const spoiled: [string, () => void, RegExp][] = [
  ['without its settings', () => rmSync(onStick('config.json')), /has no config.json/],
  ['without its tokenizer', () => rmSync(onStick('tokenizer.json')), /has no tokenizer.json/],
  ['without a part', () => rmSync(onStick('onnx/vision_encoder.onnx')), /has no onnx\/vision_encoder.onnx/],
  ['without any parts', () => rmSync(onStick('onnx'), { recursive: true }), /has no onnx\//],
  [
    'of another kind',
    () => writeFileSync(onStick('config.json'), '{"model_type":"bert"}'),
    /kind that is not known/,
  ],
  ['of no kind', () => writeFileSync(onStick('config.json'), '{"model_type":"constructor"}'), /not known/],
  ['with a list for settings', () => writeFileSync(onStick('config.json'), '[]'), /no JSON object/],
  ['with no JSON', () => writeFileSync(onStick('tokenizer_config.json'), '{"a":'), /no JSON object/],
  ['without a chat template', () => writeFileSync(onStick('tokenizer_config.json'), '{}'), /chat template/],
  ['with a part cut off', () => truncateSync(onStick('onnx/embed_tokens.onnx'), 100), /cut off or damaged/],
  ['with what is no ONNX', () => writeFileSync(onStick('onnx/embed_tokens.onnx'), 'hello'), /no ONNX file/],
  [
    'with a link for a file',
    () => {
      rmSync(onStick('tokenizer.json'))
      symlinkSync('/etc/passwd', onStick('tokenizer.json'))
    },
    /is a link/,
  ],
  [
    'with a link for its parts',
    () => {
      renameSync(onStick('onnx'), onStick('elsewhere'))
      symlinkSync(onStick('elsewhere'), onStick('onnx'))
    },
    /has no onnx\//,
  ],
  [
    'with a folder for a file',
    () => {
      rmSync(onStick('tokenizer.json'))
      mkdirSync(onStick('tokenizer.json'))
    },
    /is no file/,
  ],
]

describe('a folder', () => {
  it.each(spoiled)('%s is refused, and nothing of it is left here', async (_, spoil, words) => {
    spoil()
    expect(await refusal(installed().add(brought))).toMatch(words)
    expect(existsSync(inside()) ? readdirSync(inside()) : []).toEqual([])
  })

  it.each(['two..dots', 'two--dashes', 'a.json', 'ends-', 'ä', 'x.git'])(
    'named %s is refused',
    async name => {
      const path = join(dir, 'stick', name)
      renameSync(brought, path)
      expect(await refusal(installed().add(path))).toMatch(/rename/)
    },
  )

  it('that does not fit the box is taken only where that is said', async () => {
    const models = installed(1.2 * 1024 ** 3)
    expect(await refusal(models.add(brought))).toMatch(/model_misfit.*say --force/)
    expect((await models.add(brought, { force: true })).file).toBe('SmolVLM-256M-Instruct')
  })
})
