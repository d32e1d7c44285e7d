import { cpSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newKey, publicKeyOf, signatureOf } from '../../firmware-scripts/minisign.ts'
import { pack } from '../../firmware-scripts/release.ts'
import { sbom } from '../../firmware-scripts/sbom.ts'
import { folder, root } from '../cli/gatehouse.ts'

let dir: string
beforeEach(() => {
  dir = folder()
})
afterEach(() => rmSync(dir, { recursive: true }))

const text = (path: string) => readFileSync(path, 'utf8')
const json = (path: string) => JSON.parse(text(join(root, path)))

describe('an archive', () => {
  it('is the same bytes, whoever packs the folder, when, and with what permissions', async () => {
    for (const [place, mode, time] of [
      ['a', 0o600, 1],
      ['b', 0o664, 2_000_000],
    ] as const) {
      const release = join(dir, place, 'release')
      mkdirSync(join(release, 'lib'), { recursive: true })
      for (const name of place === 'a' ? ['x', 'y'] : ['y', 'x']) {
        writeFileSync(join(release, 'lib', name), name, { mode })
        utimesSync(join(release, 'lib', name), time, time)
      }
      await pack(release, join(dir, `${place}.tar.xz`), 1_800_000_000)
    }
    expect(readFileSync(join(dir, 'a.tar.xz')).equals(readFileSync(join(dir, 'b.tar.xz')))).toBe(true)
  })
})

describe.skipIf(!Bun.which('minisign'))('a signature', () => {
  const verify = async (file: string, key: string) => {
    const [, line = ''] = key.split('\n')
    const child = Bun.spawn(['minisign', '-V', '-P', line, '-m', file], { stdout: 'pipe', stderr: 'pipe' })
    return { said: await new Response(child.stdout).text(), code: await child.exited }
  }

  it('is what minisign takes for one, and what was changed is not', async () => {
    const file = join(dir, 'release.tar.xz')
    const key = newKey()
    writeFileSync(file, crypto.getRandomValues(new Uint8Array(60_000)))
    writeFileSync(`${file}.minisig`, await signatureOf(file, key, 'gatehouse 1.2.3 linux-x64'))
    const good = await verify(file, publicKeyOf(key))
    expect(good.code).toBe(0)
    expect(good.said).toContain('Trusted comment: gatehouse 1.2.3 linux-x64')
    expect((await verify(file, publicKeyOf(newKey()))).code).not.toBe(0)
    const signature = text(`${file}.minisig`)
    writeFileSync(`${file}.minisig`, signature.replace('1.2.3', '9.9.9'))
    expect((await verify(file, publicKeyOf(key))).code).not.toBe(0)
    writeFileSync(`${file}.minisig`, signature)
    writeFileSync(file, 'other')
    expect((await verify(file, publicKeyOf(key))).code).not.toBe(0)
  })
})

describe('what a bundle says is in it', () => {
  it('is valid CycloneDX, the same twice, with packages, runtime and models', async () => {
    const catalogue = join(dir, 'catalog.yaml')
    cpSync(join(root, 'models/catalog.yaml'), catalogue)
    const names = ['pino', 'sharp', '@huggingface/jinja']
    const first = await sbom(names, catalogue)
    expect(await sbom(names, catalogue)).toBe(first)
    const bom = JSON.parse(first)
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6' })
    const found = bom.components.map((each: { name: string }) => each.name)
    expect(found).toEqual(expect.arrayContaining(['bun', ...names, 'nanodet-416']))
    for (const each of bom.components) {
      expect(each.licenses?.length, each.name).toBeGreaterThan(0)
      expect(each['bom-ref'], each.name).toBeTruthy()
    }
  })
})

describe('the parts for other machines', () => {
  it('are of the versions that are used here', () => {
    const { optionalDependencies: parts } = json('firmware-scripts/targets/package.json')
    const sharp = json('node_modules/sharp/package.json')
    for (const [name, its] of Object.entries(parts)) {
      const wanted = name.startsWith('@oven/') ? Bun.version : sharp.optionalDependencies[name]
      expect([name, its]).toEqual([name, wanted])
    }
  })

  it('name no registry', () => {
    expect(text(join(root, 'firmware-scripts/targets/bun.lock'))).not.toMatch(/https?:/)
  })
})
