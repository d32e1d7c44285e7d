/** The contract as a package: another program takes it as npm would lay it down, and is told its types. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildContract } from '../../firmware-scripts/contract/build.ts'
import { jsonSchema } from '../../src/contract/index.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const PROGRAM = `import { applyFix, deedsOf, type Problem, parse } from 'gatehouse-contract'
import schema from 'gatehouse-contract/workflow.v1.schema.json' with { type: 'json' }

let text = 'contract: workflow.v1\\nname: Gate\\nstate: onn\\nwhen: { button: {} }\\nthen: [ log: "x" ]\\n'
const { problems }: { problems: Problem[] } = parse(text)
const fix = problems.find(one => one.fix)?.fix
if (fix) text = applyFix(text, fix)
const { workflow } = parse(text)
console.log(JSON.stringify({ codes: problems.map(one => one.code), deeds: workflow && deedsOf(workflow), form: typeof schema }))
`

let dir: string
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'gatehouse-package-'))
  const modules = join(dir, 'node_modules')
  await buildContract(join(modules, 'gatehouse-contract'))
  mkdirSync(join(modules, '@sinclair'))
  // What its manifest asks for.
  for (const name of ['yaml', '@sinclair/typebox'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  writeFileSync(join(dir, 'program.ts'), PROGRAM)
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
}, 60_000)
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function run(...command: string[]): Promise<{ code: number; out: string }> {
  const child = Bun.spawn(command, { cwd: dir, stdout: 'pipe', stderr: 'pipe' })
  const out = (await new Response(child.stdout).text()) + (await new Response(child.stderr).text())
  return { code: await child.exited, out }
}

it('is read by another program with its types, and needs nothing that it does not name', async () => {
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--resolveJsonModule',
  ]
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  expect(await run(process.execPath, tsc, ...options, '--types', '', 'program.ts')).toEqual({
    code: 0,
    out: '',
  })
  const { code, out } = await run(process.execPath, 'program.ts')
  expect([code, JSON.parse(out)]).toEqual([
    0,
    { codes: ['invalid_choice'], deeds: { acts: [], asks: [], reads: [], judges: 0 }, form: 'object' },
  ])
})

it('says what it is, under which licence, and has the form of the files', () => {
  const at = (name: string) => readFileSync(join(dir, 'node_modules/gatehouse-contract', name), 'utf8')
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  expect(JSON.parse(at('package.json'))).toMatchObject({
    license: 'Apache-2.0',
    dependencies: { yaml: dependencies.yaml, '@sinclair/typebox': dependencies['@sinclair/typebox'] },
  })
  expect(at('LICENSE')).toContain('Apache License')
  expect(JSON.parse(at('workflow.v1.schema.json'))).toEqual(JSON.parse(JSON.stringify(jsonSchema())))
  expect(at('index.js')).not.toMatch(/\b(node|bun):/)
})
