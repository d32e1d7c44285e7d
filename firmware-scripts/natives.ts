/**
 * Native libraries beside the executable. A compiled program cannot hold `.node` files that load other libraries, so
 * they lie in `lib/`, and their packages' loaders are replaced by one that looks there.
 */
import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import type { PageBundle } from '../src/web/page-bundle.ts'

const modules = join(import.meta.dirname, '..', 'node_modules')

/** Systems that a bundle can be made for. */
export const targets = ['linux-x64'] as const
export type Target = (typeof targets)[number]

/**
 * What goes into `lib/`: from (under `node_modules`) → to. sharp's library finds libvips by its own path
 * (`$ORIGIN/../../sharp-libvips-…/lib`), ONNX Runtime's beside itself, so the folders keep their places.
 */
export async function nativeFiles(target: Target): Promise<{ from: string; to: string }[]> {
  const arch = target.slice('linux-'.length)
  const sharp = `@img/sharp-${target}/lib`
  const vips = `@img/sharp-libvips-${target}/lib`
  const ort = `onnxruntime-node/bin/napi-v6/linux/${arch}`
  const binding = await only(sharp, '*.node')
  const library = await only(vips, 'libvips-cpp.so.*')
  return [
    { from: `${sharp}/${binding}`, to: `sharp/lib/sharp.node` },
    { from: `${vips}/${library}`, to: `sharp-libvips-${target}/lib/${library}` },
    { from: `${ort}/onnxruntime_binding.node`, to: 'onnxruntime/onnxruntime_binding.node' },
    { from: `${ort}/libonnxruntime.so.1`, to: 'onnxruntime/libonnxruntime.so.1' },
  ].map(({ from, to }) => ({ from: join(modules, from), to }))
}

async function only(folder: string, pattern: string): Promise<string> {
  const found = await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: join(modules, folder) }))
  const [name] = found
  if (name === undefined || found.length > 1)
    throw new Error(`expected one ${pattern} in ${folder}, found ${found.length}`)
  return name
}

/** An expression that loads a library of `lib/`. */
function load(path: string): string {
  return `(() => {
    const path = require('node:path').join(require('node:path').dirname(process.execPath), 'lib', ${JSON.stringify(path)})
    const loaded = { exports: {} }
    process.dlopen(loaded, path)
    return loaded.exports
  })()`
}

/** Sends the packages' loaders to `lib/`. Throws where a package no longer looks as it did. */
export const nativePlugin: BunPlugin = {
  name: 'natives',
  setup(build) {
    build.onLoad({ filter: /\/sharp\/dist\/sharp\.mjs$/ }, () => ({
      contents: `export default ${load('sharp/lib/sharp.node')}`,
      loader: 'js',
    }))
    build.onLoad({ filter: /\/onnxruntime-node\/dist\/binding\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text()
      const contents = source.replace(/require\(`[^`]*onnxruntime_binding\.node`\)/, () =>
        load('onnxruntime/onnxruntime_binding.node'),
      )
      if (contents === source) throw new Error(`${path} loads its library in another way than before`)
      return { contents, loader: 'js' }
    })
  },
}

/** Puts the finished page into the program. */
export function pagePlugin(page: PageBundle): BunPlugin {
  return {
    name: 'page',
    setup(build) {
      build.onLoad({ filter: /\/src\/web\/page-bundle\.ts$/ }, () => ({
        contents: `export const pageBundle = ${JSON.stringify(page)}`,
        loader: 'js',
      }))
    },
  }
}
