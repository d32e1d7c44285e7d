import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { curveOf } from '../../models/curve.ts'
import { make } from '../../models/make.ts'
import { GatehouseError } from '../../src/core/index.ts'
import { Catalogue, demandFiles, type ModelEntry, verify } from '../../src/models/index.ts'

const models = resolve(import.meta.dirname, '../../models')
let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'catalogue-'))
  cpSync(join(models, 'catalog.yaml'), join(dir, 'catalog.yaml'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

type File = { models: ModelEntry[] }

function changed(change: (file: File) => void): void {
  const file: File = parse(readFileSync(join(models, 'catalog.yaml'), 'utf8'))
  change(file)
  writeFileSync(join(dir, 'catalog.yaml'), stringify(file))
}

/** Real copies, also where the folder is a link: what a test breaks is its own. */
function copyFiles({ filesDir }: Catalogue): void {
  mkdirSync(filesDir)
  for (const name of readdirSync(join(models, 'files')))
    copyFileSync(join(models, 'files', name), join(filesDir, name))
}

function errorOf(run: () => unknown): GatehouseError {
  try {
    run()
  } catch (error) {
    if (error instanceof GatehouseError) return error
  }
  throw new Error('nothing of ours was thrown')
}

describe('the catalogue', () => {
  it('lists a detector and a reader with licences, files and calibration', () => {
    const catalogue = Catalogue.load(models)
    const [detector, reader] = [catalogue.forTask('detect'), catalogue.forTask('read')]
    expect([detector.name, reader.name]).toEqual(['nanodet-416', 'ppocr-v4'])
    expect(detector.calibration.pictures).toBeGreaterThan(50)
    const notice = readFileSync(join(models, 'NOTICE.md'), 'utf8')
    for (const { files } of catalogue.models) {
      for (const { path } of Object.values(files)) expect(notice).toContain(path)
    }
    for (const curve of [detector.calibration.present, reader.calibration.text]) {
      const rights = curve?.map(step => step.right) ?? []
      expect(rights.length).toBeGreaterThan(3)
      expect(rights).toEqual([...rights].sort((a, b) => a - b))
    }
    expect(detector.calibration.present?.[0]?.from).toBe(detector.threshold)
  })

  it('says what is not there', () => {
    const catalogue = Catalogue.load(models)
    expect(errorOf(() => catalogue.get('gpt'))).toMatchObject({ code: 'model_unknown' })
    expect(errorOf(() => Catalogue.load(join(dir, 'nowhere')))).toMatchObject({
      code: 'catalogue_invalid',
      message: expect.stringContaining('keep lib, models and templates beside the executable'),
    })
  })

  it.each<[string, (file: File) => void, RegExp]>([
    [
      'a path that leads out',
      ({ models: [first] }) => Object.assign(first?.files.graph ?? {}, { path: '../x' }),
      /path/,
    ],
    [
      'a hash that is none',
      ({ models: [first] }) => Object.assign(first?.files.graph ?? {}, { sha256: 'x' }),
      /sha256/,
    ],
    ['an unknown task', ({ models: [first] }) => Object.assign(first ?? {}, { task: 'dream' }), /task/],
    ['an unknown key', ({ models: [first] }) => Object.assign(first ?? {}, { extra: 1 }), /extra/],
    ['a name twice', file => file.models.push(structuredClone(file.models[0] as ModelEntry)), /twice/],
  ])('refuses %s', (_, change, message) => {
    changed(change)
    const error = errorOf(() => Catalogue.load(dir))
    expect(error.code).toBe('catalogue_invalid')
    expect(error.message).toMatch(message)
    expect(error.message).not.toContain('\n')
  })

  it('refuses what is no YAML', () => {
    writeFileSync(join(dir, 'catalog.yaml'), 'models: [\n')
    expect(errorOf(() => Catalogue.load(dir))).toMatchObject({ code: 'catalogue_invalid' })
  })
})

describe('making the files', () => {
  it('makes them all, as the catalogue says, and nothing the second time', async () => {
    const catalogue = Catalogue.load(dir)
    expect((await verify(catalogue)).every(check => check.state === 'missing')).toBe(true)
    expect((await make(catalogue)).sort()).toEqual([
      'nanodet-416.onnx',
      'ppocr-v4-detect.onnx',
      'ppocr-v4-keys.txt',
      'ppocr-v4-recognise.onnx',
    ])
    expect((await verify(catalogue)).every(check => check.state === 'ok')).toBe(true)
    const before = statSync(join(catalogue.filesDir, 'nanodet-416.onnx')).mtimeMs
    expect(await make(catalogue)).toEqual([])
    expect(statSync(join(catalogue.filesDir, 'nanodet-416.onnx')).mtimeMs).toBe(before)
  })

  it('sees files that are cut short or changed, and makes them anew', async () => {
    const catalogue = Catalogue.load(dir)
    copyFiles(catalogue)
    const keys = join(catalogue.filesDir, 'ppocr-v4-keys.txt')
    const text = readFileSync(keys)
    truncateSync(keys, 100)
    expect((await verify(catalogue, 'ppocr-v4')).find(check => check.state === 'wrong')).toMatchObject({
      path: 'ppocr-v4-keys.txt',
      message: expect.stringContaining('100 bytes'),
    })
    writeFileSync(keys, Buffer.concat([Buffer.from('!'), text.subarray(1)]))
    expect((await verify(catalogue)).find(check => check.state === 'wrong')?.message).toContain('SHA-256')
    expect(await make(catalogue)).toEqual(['ppocr-v4-keys.txt'])
    expect(readFileSync(keys)).toEqual(text)
  })

  it('a start demands every file, with its size', async () => {
    const catalogue = Catalogue.load(dir)
    copyFiles(catalogue)
    await demandFiles(catalogue)
    rmSync(join(catalogue.filesDir, 'nanodet-416.onnx'))
    truncateSync(join(catalogue.filesDir, 'ppocr-v4-keys.txt'), 100)
    const error = await demandFiles(catalogue).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'models_missing' })
    expect(String(error)).toContain('(nanodet-416.onnx, ppocr-v4-keys.txt): run "bun run models"')
    expect(String(error)).not.toContain(dir)
  })

  it('says in one line when a file comes out other than the catalogue says, and leaves nothing behind', async () => {
    changed(({ models: [, reader] }) => {
      Object.assign(reader?.files.keys ?? {}, { sha256: '0'.repeat(64) })
    })
    const catalogue = Catalogue.load(dir)
    copyFiles(catalogue)
    rmSync(join(catalogue.filesDir, 'ppocr-v4-keys.txt'))
    const error = await make(catalogue).catch((thrown: unknown) => thrown)
    expect(String(error)).toMatch(/ppocr-v4-keys\.txt came out .* not as in catalog\.yaml/)
    expect((await verify(catalogue)).find(check => check.path === 'ppocr-v4-keys.txt')?.state).toBe('missing')
  })
})

describe('a calibration curve', () => {
  const cases = (score: number, right: number, wrong: number) => [
    ...Array.from({ length: right }, () => ({ score, right: true, weight: 1 })),
    ...Array.from({ length: wrong }, () => ({ score, right: false, weight: 1 })),
  ]
  const at = (some: ReturnType<typeof cases>) => curveOf(some, [0.4, 0.6]).map(step => step.right)

  it('is a coin without cases, and never certain', () => {
    expect(at([])).toEqual([0.5, 0.5])
    const [, top = 1] = at(cases(0.9, 1000, 0))
    expect(top).toBeLessThan(1)
    expect(top).toBeGreaterThan(0.95)
  })

  it('few cases say less than many', () => {
    const [, few = 0] = at(cases(0.7, 2, 0))
    const [, many = 0] = at(cases(0.7, 40, 0))
    expect(few).toBeLessThan(0.8)
    expect(many).toBeGreaterThan(0.9)
  })

  it('finds the shares behind many cases', () => {
    const [low = 0, high = 0] = at([...cases(0.4, 60, 40), ...cases(0.6, 95, 5)])
    expect(low).toBeCloseTo(0.6, 1)
    expect(high).toBeCloseTo(0.94, 1)
  })

  it('does not fall where higher scores were right less often', () => {
    const [low = 0, high = 1] = at([...cases(0.4, 9, 1), ...cases(0.6, 5, 5)])
    expect(high).toBeCloseTo(low)
  })

  it('counts the cases of each step', () => {
    expect(curveOf([...cases(0.5, 3, 1), ...cases(0.7, 2, 0)], [0.4, 0.6]).map(step => step.cases)).toEqual([
      4, 2,
    ])
  })
})
