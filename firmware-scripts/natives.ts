/**
 * Native libraries beside the executable. A compiled program cannot hold `.node` files that load other libraries, so
 * they lie in `lib/`, and their packages' loaders are replaced by one that looks there.
 */
import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import type { PageBundle } from '../src/web/page-bundle.ts'
import { manifestOf, packageFolder } from './packages.ts'

/** Systems that a bundle can be made for. */
export const targets = ['linux-x64', 'linux-x64-baseline', 'linux-arm64'] as const
export type Target = (typeof targets)[number]

/** The system that a target's native libraries are for: they themselves look what the processor can do. */
export function systemOf(target: Target): 'linux-x64' | 'linux-arm64' {
  return target === 'linux-arm64' ? target : 'linux-x64'
}

/** Packages whose libraries lie beside the program. */
export function nativePackages(target: Target): string[] {
  const system = systemOf(target)
  return [
    'onnxruntime-node',
    `@img/sharp-${system}`,
    `@img/sharp-libvips-${system}`,
    `@node-llama-cpp/${system}`,
  ]
}

/**
 * What goes into `lib/`: from (under `node_modules`) → to. sharp's library finds libvips by its own path
 * (`$ORIGIN/../../sharp-libvips-…/lib`), ONNX Runtime's and llama.cpp's theirs beside themselves, so the folders keep
 * their places.
 */
export async function nativeFiles(target: Target): Promise<{ from: string; to: string }[]> {
  const system = systemOf(target)
  const sharp = join(packageFolder(`@img/sharp-${system}`), 'lib')
  const vips = join(packageFolder(`@img/sharp-libvips-${system}`), 'lib')
  const ort = join(packageFolder('onnxruntime-node'), 'bin/napi-v6/linux', system.slice('linux-'.length))
  const binding = await only(sharp, '*.node')
  const library = await only(vips, 'libvips-cpp.so.*')
  // One for each kind of processor: llama.cpp loads the one that fits.
  const llama = join(packageFolder(`@node-llama-cpp/${system}`), 'bins', system)
  const ofLlama = await Array.fromAsync(new Bun.Glob('*').scan({ cwd: llama }))
  const release = 'llama/binariesGithubRelease.json'
  return [
    ...ofLlama.map(name => ({ from: join(llama, name), to: `${llamaBins}/${system}/${name}` })),
    { from: join(packageFolder('node-llama-cpp'), release), to: `llama/${release}` },
    { from: join(sharp, binding), to: 'sharp/lib/sharp.node' },
    { from: join(vips, library), to: `sharp-libvips-${system}/lib/${library}` },
    { from: join(ort, 'onnxruntime_binding.node'), to: 'onnxruntime/onnxruntime_binding.node' },
    { from: join(ort, 'libonnxruntime.so.1'), to: 'onnxruntime/libonnxruntime.so.1' },
  ]
}

/** Where llama.cpp lies in `lib/`. */
const llamaBins = 'llama/bins'

async function only(folder: string, pattern: string): Promise<string> {
  const found = await Array.fromAsync(new Bun.Glob(pattern).scan({ cwd: folder }))
  const [name] = found
  if (name === undefined || found.length > 1)
    throw new Error(`expected one ${pattern} in ${folder}, found ${found.length}`)
  return name
}

/** An expression that says where something of `lib/` is. */
function placeOf(path: string): string {
  return `require('node:path').join(require('node:path').dirname(process.execPath), 'lib', ${JSON.stringify(path)})`
}

/** An expression that loads a library of `lib/`. */
function load(path: string): string {
  return `(() => {
    const path = ${placeOf(path)}
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

/**
 * The library for models that see asks for ONNX Runtime by a way that no bundler follows, and holds a second one for
 * browsers, which is left out.
 */
export const transformersPlugin: BunPlugin = {
  name: 'transformers',
  setup(build) {
    build.onLoad(
      { filter: /\/@huggingface\/transformers\/dist\/transformers\.node\.mjs$/ },
      async ({ path }) => {
        const source = await Bun.file(path).text()
        const contents = source
          .replace('requireFromHere("onnxruntime-node")', 'require("onnxruntime-node")')
          .replace(
            /\n\/\/ [^\n]*\/onnxruntime-web\/dist\/ort\.webgpu\.bundle\.min\.mjs\n[\s\S]*?(?=\n\/\/ src\/)/,
            '\nvar ort_webgpu_bundle_min_exports = {};\n',
          )
        if (contents.includes('requireFromHere("') || contents.length > source.length - 100_000)
          throw new Error(`${path} loads its runtime in another way than before`)
        return { contents, loader: 'js' }
      },
    )
  },
}

/** What node-llama-cpp fetches and builds with: this program does neither. */
const dropped = /^(simple-git|ipull|ora|electron)$/

/**
 * The same for llama.cpp's loader, which finds its libraries through a package for each system, tries them in a process
 * of their own first (which would be this program again), and could fetch and build others.
 */
export const llamaPlugin: BunPlugin = {
  name: 'llama',
  setup(build) {
    build.onResolve({ filter: dropped }, ({ path }) => ({ path, namespace: 'dropped' }))
    build.onLoad({ filter: /.*/, namespace: 'dropped' }, () => ({
      contents: 'module.exports = {}',
      loader: 'js',
    }))
    build.onResolve({ filter: /^@node-llama-cpp\// }, ({ path }) => ({ path, namespace: 'llama-bins' }))
    build.onLoad({ filter: /.*/, namespace: 'llama-bins' }, async () => {
      const packageVersion = (await manifestOf('node-llama-cpp')).version
      const answer = `{ binsDir: ${placeOf(llamaBins)}, packageVersion: ${JSON.stringify(packageVersion)} }`
      return { contents: `export function getBinsDir() { return ${answer} }`, loader: 'js' }
    })
    build.onLoad({ filter: /\/node-llama-cpp\/dist\/bindings\/utils\/testBindingBinary\.js$/ }, () => ({
      contents: 'export async function testBindingBinary() { return true }',
      loader: 'js',
    }))
    build.onLoad({ filter: /\/node-llama-cpp\/dist\/config\.js$/ }, async ({ path }) => {
      const source = await Bun.file(path).text()
      const contents = source.replace(
        'const __dirname = path.dirname(fileURLToPath(import.meta.url));',
        `const __dirname = ${placeOf('llama/dist')};`,
      )
      if (contents === source) throw new Error(`${path} finds its folder in another way than before`)
      return { contents, loader: 'js' }
    })
  },
}

/** Puts the finished page into the program. */
export function pagePlugin({ html, files }: PageBundle): BunPlugin {
  return {
    name: 'page',
    setup(build) {
      build.onLoad({ filter: /\/src\/web\/page-bundle\.ts$/ }, () => {
        const each = Object.entries(files).map(
          ([name, { type }]) =>
            `${JSON.stringify(name)}: { type: ${JSON.stringify(type)}, text: async () => (await import(${JSON.stringify(`page:${name}`)})).default }`,
        )
        const contents = `export const pageBundle = { html: ${JSON.stringify(html)}, files: { ${each.join(', ')} } }`
        return { contents, loader: 'js' }
      })
      // Each a piece of its own, that is read when a browser asks for it.
      build.onResolve({ filter: /^page:/ }, ({ path }) => ({
        path: path.slice('page:'.length),
        namespace: 'page',
      }))
      build.onLoad({ filter: /./, namespace: 'page' }, async ({ path }) => ({
        contents: `export default ${JSON.stringify((await files[path]?.text()) ?? '')}`,
        loader: 'js',
      }))
    },
  }
}

/** The program says that it is that version. */
export function versionPlugin(version: string): BunPlugin {
  return {
    name: 'version',
    setup(build) {
      build.onLoad({ filter: /\/src\/box\/version\.ts$/ }, () => ({
        contents: `export const version = ${JSON.stringify(version)}`,
        loader: 'ts',
      }))
    },
  }
}
