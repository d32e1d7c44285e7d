/** The bundle alone in an empty folder: no node_modules in reach, nothing in the environment. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AnswererLanguageModel, EmbeddedModel } from '../../src/ai/index.ts'
import { noLog, systemClock } from '../../src/core/index.ts'
import { Supervisor } from '../../src/inference/index.ts'
import { writeModel } from '../inference/llama/gguf.ts'
import { plainPicture } from '../vision/answer/models.ts'
import { writeTiny } from '../vision/answer/tiny.ts'
import { freePort, freshBundle, natives, Running } from './bundle.ts'

const person = resolve(import.meta.dirname, '../../templates/cases/pictures/person.jpg')

describe.runIf(process.platform === 'linux' && process.arch === 'x64')('the bundle', () => {
  let home: string
  let program: string

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'gatehouse-bundle-'))
    cpSync(await freshBundle(), join(home, 'gatehouse'), { recursive: true })
    program = join(home, 'gatehouse', 'gatehouse')
  }, 60_000)

  afterAll(() => rmSync(home, { recursive: true, force: true }))

  /** One command in the empty folder; what it printed and its exit code. */
  function gatehouse(...args: string[]) {
    const { stdout, stderr, exitCode } = Bun.spawnSync([program, ...args], {
      cwd: home,
      env: {},
      timeout: 25_000,
    })
    return { out: stdout.toString(), err: stderr.toString(), code: exitCode }
  }

  test('holds what it needs and everybody’s licences, and no more', () => {
    const folder = join(home, 'gatehouse')
    expect(readdirSync(folder).sort()).toEqual([
      'LICENSES',
      'RELEASE',
      'SHA256SUMS',
      'docs',
      'gatehouse',
      'install.sh',
      'lib',
      'models',
      'sbom.cdx.json',
      'systemd',
      'templates',
    ])
    const native = readdirSync(join(folder, 'lib'), { recursive: true, encoding: 'utf8' }).filter(name =>
      /\.node$/.test(name),
    )
    expect(native).toHaveLength(3)
    const licences = readdirSync(join(folder, 'LICENSES'))
    for (const name of [
      'LICENSE',
      'bun',
      'elysia',
      'htm',
      'preact',
      '@codemirror__view',
      '@lezer__yaml',
      'yaml',
      'sharp',
      '@img__sharp-libvips-linux-x64',
      'LGPL-3.0',
      'onnxruntime',
      'llama.cpp',
      'node-llama-cpp',
      '@node-llama-cpp__linux-x64',
      '@huggingface__transformers',
      '@huggingface__tokenizers',
    ]) {
      expect(licences).toContain(name === 'LICENSE' ? name : `${name}.txt`)
    }
  })

  test('decides about a picture', () => {
    const event = '{"camera":"yard"}'
    const run = gatehouse(
      'run',
      'gatehouse/templates/yard-watch.yaml',
      '--event',
      event,
      '--picture',
      person,
      '--json',
    )
    expect(run.err).toBe('')
    expect(run.code).toBe(0)
    const { status, steps } = JSON.parse(run.out)
    expect(status).toBe('done')
    expect(steps[0]).toMatchObject({ kind: 'ai', outcome: 'person', unsure_reason: null })
    expect(steps[0].confidence).toBeGreaterThan(0.6)
  })

  test('asks a language model', async () => {
    writeModel(join(home, 'tiny.gguf'))
    const inference = new Supervisor({ command: [program, 'inference'], modelsDir: home, log: noLog })
    const model = new EmbeddedModel({
      name: 'tiny',
      inference,
      model: { file: 'tiny.gguf', contextTokens: 512 },
    })
    try {
      const answer = await model.chat({
        messages: [{ role: 'user', text: 'Who is there?' }],
        grammar: 'root ::= "{\\"who\\":\\"" ("nobody" | "a guest") "\\"}"',
        likelihood: { key: 'who', options: ['nobody', 'a guest'] },
        temperature: 1,
        seed: 1,
        maxTokens: 40,
        timeoutMs: 20_000,
      })
      expect(Object.keys(JSON.parse(answer.text))).toEqual(['who'])
      expect(Object.keys(answer.options ?? {})).toEqual(['nobody', 'a guest'])
    } finally {
      await inference.stop()
    }
  })

  test('asks a model that sees', async () => {
    writeTiny(join(home, 'tiny'))
    const inference = new Supervisor({ command: [program, 'inference'], modelsDir: home, log: noLog })
    const model = new AnswererLanguageModel({
      inference,
      model: { dir: home, name: 'tiny' },
      clock: systemClock,
    })
    const asked = async (level: 'bright' | 'dark') => {
      const messages = [{ role: 'user', text: '', pictures: [await plainPicture(level)] }] as const
      const schema = { properties: { open: { enum: ['yes', 'no'] } } }
      const limits = { temperature: 0, seed: 1, maxTokens: 40, timeoutMs: 20_000 }
      return JSON.parse((await model.chat({ messages, task: 'Is it open?', schema, ...limits })).text).open
    }
    try {
      expect([await asked('bright'), await asked('dark')]).toEqual(['yes', 'no'])
    } finally {
      await inference.stop()
    }
  })

  test('says what a wrong picture is', () => {
    const run = gatehouse(
      'run',
      'gatehouse/templates/yard-watch.yaml',
      '--event',
      '{"camera":"yard"}',
      '--picture',
      program,
    )
    expect(run.out + run.err).toMatch(/picture/)
    expect(run.err.trim().split('\n').length).toBe(1)
  })

  test('knows its version, the box and its models', () => {
    expect(gatehouse('version').out).toMatch(/\d+\.\d+\.\d+/)
    expect(JSON.parse(gatehouse('hardware', '--json').out)).toMatchObject({ arch: 'x64', limits: {} })
    expect(gatehouse('models', 'verify').code).toBe(0)
  })

  test('serves the page, with nothing native in its own process', async () => {
    const port = await freePort()
    const args = ['up', '--port', String(port), '--data', join(home, 'data'), '--no-demo']
    const running = new Running([program, ...args], port, { cwd: home })
    try {
      await running.healthy()
      const page = await fetch(`http://127.0.0.1:${port}/`)
      expect(page.status).toBe(200)
      const html = await page.text()
      const script = /src="(\/assets\/[^"]+)"/.exec(html)?.[1]
      expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).toBe(200)
      expect(running.mapped().filter(path => natives.test(path))).toEqual([])
    } finally {
      expect(await running.stop()).toBe(0)
    }
  })
})
