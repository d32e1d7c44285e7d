/**
 * `bun run build [--target linux-x64] [--out FOLDER] [--entry FILE]`: a folder that runs on its own. In it the
 * executable, the native libraries in `lib/`, the models, the templates, everybody's licences, and what installs it.
 */
import { cp, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../src/box/version.ts'
import { buildPage } from '../src/web/build-page.ts'
import { buildValidator } from '../src/web/build-validator.ts'
import { licences } from './licences.ts'
import {
  llamaPlugin,
  nativeFiles,
  nativePackages,
  nativePlugin,
  pagePlugin,
  type Target,
  targets,
  transformersPlugin,
  versionPlugin,
} from './natives.ts'
import { packageFolder, packagesIn } from './packages.ts'
import { sbom } from './sbom.ts'
import { seal } from './seal.ts'

const root = resolve(import.meta.dirname, '..')

export interface BuildOptions {
  target: Target
  /** The bundle's folder; what was there is replaced when the new one is complete. */
  out: string
  entry: string
  /** The program that runs the JavaScript; the one that runs this, where that fits the target, if absent. */
  runtime?: string
  /** Which release it says it is; this one's, if absent. */
  as?: string
  /** The public key that its updates have to be signed with, as minisign writes it. */
  publicKey?: string
}

/** Makes the bundle. Throws with what is missing. */
export async function build({
  target,
  out,
  entry,
  runtime,
  as = version,
  publicKey,
}: BuildOptions): Promise<void> {
  const partial = `${out}.partial`
  await rm(partial, { recursive: true, force: true })
  await mkdir(partial, { recursive: true })

  const inputs = await compile(entry, join(partial, 'gatehouse'), runtime ?? runtimeFor(target), as)
  for (const { from, to } of await nativeFiles(target)) await copy(from, join(partial, 'lib', to))
  await copyModels(join(partial, 'models'))
  await copy(join(root, 'templates'), join(partial, 'templates'))
  await mkdir(join(partial, 'docs', 'validator'), { recursive: true })
  await writeFile(join(partial, 'docs', 'validator', 'index.html'), await buildValidator())
  await copy(join(root, 'LICENSE'), join(partial, 'LICENSES', 'LICENSE'))
  // Some libraries went in inside of others, and the native ones lie beside the program.
  const inside = ['@huggingface/jinja', '@huggingface/tokenizers']
  const names = [...new Set([...packagesIn(inputs), ...inside, ...nativePackages(target)])].sort()
  for (const [name, text] of await licences(names)) await writeFile(join(partial, 'LICENSES', name), text)
  await writeFile(join(partial, 'sbom.cdx.json'), await sbom(names, join(partial, 'models', 'catalog.yaml')))
  await copy(join(root, 'systemd'), join(partial, 'systemd'))
  await copy(join(root, 'firmware-scripts', 'install.sh'), join(partial, 'install.sh'))
  if (publicKey !== undefined) await writeFile(join(partial, 'update.pub'), publicKey)
  await seal(partial, target, as)

  await rm(out, { recursive: true, force: true })
  await rename(partial, out)
}

/** The program that runs this where it fits, else one out of `firmware-scripts/targets`. */
function runtimeFor(target: Target): string {
  return target === `${process.platform}-${process.arch}` ? process.execPath : pinnedRuntime(target)
}

/** The same file on every machine. */
export function pinnedRuntime(target: Target): string {
  const name = target === 'linux-arm64' ? 'linux-aarch64' : target
  return join(packageFolder(`@oven/bun-${name}`), 'bin', 'bun')
}

/** All JavaScript in one executable; answers with the files that went in. Throws with the bundler's messages. */
async function compile(entry: string, outfile: string, runtime: string, as: string): Promise<string[]> {
  // The page first: a build inside another build's plugin never ends.
  const { inputs: ofPage, ...page } = await buildPage()
  const result = await Bun.build({
    entrypoints: [entry],
    target: 'bun',
    format: 'esm',
    minify: true,
    bytecode: true,
    // What only some commands or sites use stays unread until it is asked for.
    splitting: true,
    metafile: true,
    plugins: [nativePlugin, llamaPlugin, transformersPlugin, pagePlugin(page), versionPlugin(as)],
    compile: {
      executablePath: runtime,
      outfile,
      // What a start runs once is not worth compiling: a quarter less work until it answers, and 5 MB less memory.
      // What runs for long asks for the usual policy when it is up.
      jitPolicy: 8,
      // Nothing in the folder where somebody starts it may change what it does.
      autoloadDotenv: false,
      autoloadBunfig: false,
      autoloadTsconfig: false,
      autoloadPackageJson: false,
    },
  })
  return [...Object.keys(result.metafile?.inputs ?? {}), ...ofPage]
}

/** The catalogue, its notices, the files and the cases that models are judged by; not how files are made. */
async function copyModels(to: string): Promise<void> {
  const from = join(root, 'models')
  for (const name of ['catalog.yaml', 'NOTICE.md', 'eval', 'files']) {
    try {
      await copy(join(from, name), join(to, name))
    } catch (error) {
      throw new Error(`models/${name} is not there: run "bun run models" first`, { cause: error })
    }
  }
}

async function copy(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await cp(from, to, { recursive: true, dereference: true })
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      target: { type: 'string', default: 'linux-x64' },
      out: { type: 'string' },
      entry: { type: 'string', default: join(root, 'src/main.ts') },
    },
  })
  const target = targets.find(name => name === values.target)
  if (!target) {
    console.error(`--target is one of: ${targets.join(', ')}`)
    process.exit(2)
  }
  const out = resolve(values.out ?? join(root, 'dist', `gatehouse-${target}`))
  try {
    await build({ target, out, entry: resolve(values.entry) })
    console.log(join(out, 'gatehouse'))
  } catch (error) {
    console.error(error instanceof AggregateError ? [error.message, ...error.errors].join('\n') : error)
    process.exit(1)
  }
}
