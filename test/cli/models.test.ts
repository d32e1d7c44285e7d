/** `gatehouse models`, as people and programs use it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { writeModel } from '../inference/llama/gguf.ts'
import { writeTiny } from '../vision/answer/tiny.ts'
import { folder, gatehouse } from './gatehouse.ts'

it('takes a model from a stick, shows it in use, and gives it up only when that is meant', async () => {
  const stick = folder()
  const data = folder()
  writeModel(join(stick, 'tiny.gguf'))
  writeFileSync(join(stick, 'bad.gguf'), 'hello')
  const models = (...args: string[]) => gatehouse('models', ...args, '--data', data)

  const added = await models('add', join(stick, 'tiny.gguf'))
  expect(added.code).toBe(0)
  expect(added.out).toContain('write into site.yaml: language: { model: tiny.gguf }')
  expect(await models('add', join(stick, 'bad.gguf'))).toEqual({
    code: 1,
    out: '',
    err: 'gatehouse: bad.gguf is no GGUF file: language models are .gguf files\n',
  })
  expect(existsSync(join(data, 'models/bad.gguf'))).toBe(false)

  writeFileSync(join(data, 'site.yaml'), 'language: { model: tiny.gguf }\n')
  const rows: { name: string; state: string; in_use: boolean }[] = JSON.parse(
    (await models('list', '--json')).out,
  )
  expect(rows.find(({ name }) => name === 'tiny.gguf')).toMatchObject({ state: 'installed', in_use: true })
  expect(rows.find(({ name }) => name === 'qwen3-4b')).toMatchObject({ state: 'known', in_use: false })
  expect((await models('verify', 'tiny.gguf', '--json')).out).toContain('"state":"ok"')

  expect(await models('remove', 'tiny.gguf')).toMatchObject({
    code: 1,
    err: expect.stringContaining('site.yaml asks'),
  })
  expect((await models('remove', 'tiny.gguf', '--force')).code).toBe(0)
  expect((await models('list')).out).toContain('site.yaml asks for tiny.gguf, which is not installed')
})

it('fetches nothing from a host that the site does not list', async () => {
  const data = folder()
  mkdirSync(data, { recursive: true })
  const pulled = await gatehouse('models', 'pull', 'qwen3-1.7b', '--force', '--data', data)
  expect(pulled.code).toBe(1)
  expect(pulled.err).toMatch(
    /add under destinations in site.yaml: huggingface_co: \{ url: https:\/\/huggingface.co, class: read \}\n$/,
  )
  expect((await gatehouse('models', 'pull', '--data', data)).code).toBe(2)
})

it('takes a folder with a model that sees, shows it in use, and gives it up only when that is meant', async () => {
  const stick = join(folder(), 'tiny-vlm')
  const data = folder()
  writeTiny(stick)
  const models = (...args: string[]) => gatehouse('models', ...args, '--data', data)
  const added = await models('add', stick)
  expect([added.code, added.err]).toEqual([0, ''])
  expect(added.out).toContain('tiny-vlm is installed')
  expect(added.out).toContain('write into site.yaml: vision: { model: tiny-vlm }')

  writeFileSync(join(data, 'site.yaml'), 'vision: { model: tiny-vlm }\n')
  const rows: { name: string }[] = JSON.parse((await models('list', '--json')).out)
  expect(rows.find(({ name }) => name === 'tiny-vlm')).toMatchObject({
    state: 'installed',
    task: 'answer',
    in_use: true,
  })
  expect((await models('remove', 'tiny-vlm')).err).toContain('name another under vision there')
  expect((await models('remove', 'tiny-vlm', '--force')).code).toBe(0)
  expect((await models('list')).out).toContain('site.yaml asks for tiny-vlm, which is not installed')
})
