import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { identityOf, ModelGates } from '../../src/box/model-gates.ts'
import { ManualClock } from '../../src/core/index.ts'
import { type Evaluation, Evaluations } from '../../src/models/index.ts'
import type { LanguageSetting } from '../../src/site/index.ts'

const HASH = 'ab'.repeat(32)
const FILE: LanguageSetting = { kind: 'file', file: 'some.gguf' }
const result = (patch: Partial<Evaluation> = {}): Evaluation => ({
  ...{ suite: 'investigate', model: 'some.gguf', hash: HASH, box: 'cpu-x64-4core-8gb', right: 42, cases: 42 },
  ...{ fingerprint: 'abc', version: '0.1.0', at: 1 },
  ...patch,
})

let dataDir = ''
let language: LanguageSetting | null = FILE
const clock = new ManualClock(1)
const gates = () => new ModelGates({ dataDir, language: () => language, box: 'cpu-x64-4core-8gb', clock })

function install(hash = HASH): void {
  mkdirSync(join(dataDir, 'models'), { recursive: true })
  writeFileSync(join(dataDir, 'models/some.gguf'), 'GGUF')
  writeFileSync(join(dataDir, 'models/some.gguf.json'), JSON.stringify({ sha256: hash, bytes: 4 }))
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-gates-'))
  language = FILE
  install()
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

describe('the gate of a model', () => {
  test('is shut until it was judged, and says what to run and what it takes', () => {
    expect(gates().why('investigate')).toBe(
      'investigating waits until some.gguf has passed its cases on this box (39 of 42 right): run "gatehouse eval --suite investigate"',
    )
    expect(gates().view()).toMatchObject([
      { suite: 'investigate', passed: false },
      { suite: 'draft', passed: false },
    ])
  })
  test('opens as soon as another process has kept that it passed', async () => {
    const open = gates()
    expect(open.why('investigate')).not.toBeNull()
    await new Evaluations(dataDir).put([result({ right: 39 })])
    expect(open.why('investigate')).toBeNull()
    expect(open.why('draft')).not.toBeNull()
    await new Evaluations(dataDir).put([result({ right: 38 })])
    expect(open.why('investigate')).toContain('not passed (38 of 42 right')
  })
  test('is seen to open and to shut while the box is up, and not after it stopped', async () => {
    const watched = gates()
    let changes = 0
    watched.start(() => changes++)
    const later = () => {
      clock.advance(15_000)
      return changes
    }
    expect(later()).toBe(0)
    await new Evaluations(dataDir).put([result()])
    expect([later(), later()]).toEqual([1, 1])
    rmSync(join(dataDir, 'models'), { recursive: true })
    expect([later(), later()]).toEqual([2, 2])
    watched.stop()
    install()
    expect(later()).toBe(2)
  })
  test.each([
    ['another file of that name', { hash: 'cd'.repeat(32) }],
    ['another model', { model: 'other.gguf' }],
    ['another class of box', { box: 'gpu-x64-8core-16gb' }],
    ['another suite', { suite: 'draft' as const }],
  ])('is not opened by %s', async (_, patch) => {
    await new Evaluations(dataDir).put([result(patch)])
    expect(gates().why('investigate')).not.toBeNull()
  })
  test('is shut where the file has changed, or is none that was added', async () => {
    await new Evaluations(dataDir).put([result()])
    expect(gates().why('investigate')).toBeNull()
    writeFileSync(join(dataDir, 'models/some.gguf'), 'GGUF2')
    expect(gates().why('investigate')).toContain('gatehouse models add')
    rmSync(join(dataDir, 'models'), { recursive: true })
    expect(gates().why('investigate')).toContain('gatehouse models add')
  })
  test('says that there is no model where there is none', () => {
    language = null
    expect(gates().why('draft')).toBe(
      'drafting from a sentence needs a language model: name one under language in the site file',
    )
  })
  test('knows a model behind a server by where it is and what it is called', () => {
    const setting: LanguageSetting = {
      kind: 'server',
      destination: 'llm',
      api: 'ollama',
      model: 'm',
      sees: false,
    }
    expect(identityOf(setting, dataDir)).toEqual({ model: 'ollama:m@llm', hash: null })
  })
})

describe('what is kept of evaluations', () => {
  test('is the newest of each', async () => {
    const kept = new Evaluations(dataDir)
    await kept.put([result({ at: 1 }), result({ suite: 'draft', at: 1 })])
    await kept.put([result({ at: 2, right: 3 })])
    expect(kept.all.map(({ suite, at }) => [suite, at])).toEqual([
      ['investigate', 2],
      ['draft', 1],
    ])
    await kept.put(Array.from({ length: 300 }, (_, i) => result({ model: `m${i}` })))
    expect(kept.all).toHaveLength(200)
  })
  test.each(['', '[]', '{"evaluations":1,"results":[{}]}', '{"evaluations":2,"results":[]}'])(
    'is nothing in a file that holds %o',
    async text => {
      writeFileSync(join(dataDir, 'evaluations.json'), text)
      expect(gates().why('investigate')).not.toBeNull()
      await new Evaluations(dataDir).put([result()])
      expect(gates().why('investigate')).toBeNull()
    },
  )
})
