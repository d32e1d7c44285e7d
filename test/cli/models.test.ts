/** `gatehouse models`, as people and programs use it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { siteInForceOf } from '../../src/cli/models-box.ts'
import { writeModel } from '../inference/llama/gguf.ts'
import { writeTiny } from '../vision/answer/tiny.ts'
import { folder, gatehouse, serve } from './gatehouse.ts'

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

it('goes by the destinations that are in force, also beside the box that is up', async () => {
  const data = folder()
  const listed = (url: string) => `destinations: { huggingface_co: { url: "${url}", class: read } }\n`
  writeFileSync(join(data, 'site.yaml'), listed('https://huggingface.co'))
  const inForce = async () => (await siteInForceOf(data)).site.destination('huggingface_co')?.url.href
  // Before a first start nothing was set.
  expect(await inForce()).toBe('https://huggingface.co/')
  const box = await serve(['--data', data])
  const set = (destinations: object) =>
    fetch(`${box.url}/api/v1/site-rules`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ set: { destinations } }),
    })
  const other = { url: 'https://other.example', class: 'read' }
  expect((await set({ huggingface_co: other })).status).toBe(200)
  expect(await inForce()).toBe('https://other.example/')
  const pulled = await gatehouse('models', 'pull', 'qwen3-1.7b', '--force', '--data', data)
  expect([pulled.code, pulled.err]).toEqual([1, expect.stringContaining('the site does not list')])

  writeFileSync(join(data, 'site.yaml'), listed('https://nobody.example'))
  expect((await set({ huggingface_co: { url: 'https://huggingface.co', class: 'read' } })).status).toBe(200)
  expect(await inForce()).toBe('https://huggingface.co/')
  await box.stop()
  expect(await inForce()).toBe('https://huggingface.co/')
})
