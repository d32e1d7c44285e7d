/** The contract as a package: ESM in one file, its types, the JSON Schema of the files, what it is and its licence. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { jsonSchema } from '../../src/contract/index.ts'

const ROOT = resolve(import.meta.dirname, '../..')
/** What it needs beside itself, as in the box. */
const NEEDS = ['@sinclair/typebox', 'yaml'] as const

/** Writes it into `outdir`; what was there of an earlier one goes. */
export async function buildContract(outdir: string): Promise<{ files: number }> {
  const { version, license, dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    version: string
    license: string
    dependencies: Record<string, string>
  }
  mkdirSync(outdir, { recursive: true })
  rmSync(join(outdir, 'types'), { recursive: true, force: true })
  const built = await Bun.build({
    entrypoints: [join(ROOT, 'src/contract/index.ts')],
    target: 'browser',
    format: 'esm',
    external: [...NEEDS, ...NEEDS.map(name => `${name}/*`)],
  })
  if (!built.success) throw new AggregateError(built.logs, 'The contract could not be built.')
  writeFileSync(join(outdir, 'index.js'), (await built.outputs[0]?.text()) ?? '')
  await types(join(outdir, 'types'))
  writeFileSync(join(outdir, 'workflow.v1.schema.json'), `${JSON.stringify(jsonSchema(), null, 2)}\n`)
  for (const name of ['README.md', 'LICENSE'])
    cpSync(name === 'LICENSE' ? join(ROOT, name) : join(import.meta.dirname, name), join(outdir, name))
  const manifest = {
    name: 'gatehouse-contract',
    version,
    description: 'Reads, checks and prints workflow.v1 files of Gatehouse, in a browser or anywhere else.',
    license,
    type: 'module',
    sideEffects: false,
    exports: {
      '.': { types: './types/index.d.ts', default: './index.js' },
      './workflow.v1.schema.json': './workflow.v1.schema.json',
    },
    files: ['index.js', 'types', 'workflow.v1.schema.json'],
    dependencies: Object.fromEntries(NEEDS.map(name => [name, dependencies[name]])),
  }
  writeFileSync(join(outdir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  return { files: readdirSync(outdir, { recursive: true }).length }
}

/** Types are written by the compiler; they name each other without the endings of sources. */
async function types(outdir: string): Promise<void> {
  const options = [
    ...['--declaration', '--emitDeclarationOnly', '--outDir', outdir, '--rootDir', 'src/contract'],
    ...['--target', 'ESNext', '--module', 'ESNext', '--moduleResolution', 'bundler', '--lib', 'ESNext,DOM'],
    ...['--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--types', ''],
    ...['--allowImportingTsExtensions', '--rewriteRelativeImportExtensions', '--ignoreConfig'],
  ]
  const tsc = Bun.spawn(
    [process.execPath, 'node_modules/typescript/bin/tsc', ...options, 'src/contract/index.ts'],
    {
      cwd: ROOT,
      stdout: 'pipe',
    },
  )
  const said = await new Response(tsc.stdout).text()
  if ((await tsc.exited) !== 0) throw new Error(`The types could not be written: ${said}`)
  for (const name of readdirSync(outdir, { recursive: true }) as string[]) {
    if (!name.endsWith('.d.ts')) continue
    const file = join(outdir, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/(['"]\.{1,2}\/[^'"]+)\.ts(['"])/g, '$1.js$2'))
  }
}
