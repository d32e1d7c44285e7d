import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'

/** More than this, gzipped, is too much for a page that only checks a file. */
const mostBytes = 100_000

let script = ''

beforeAll(async () => {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dirname, 'browser-entry.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
  })
  script = (await built.outputs[0]?.text()) ?? ''
})

/** A context with the language and nothing around it: no process, no Bun, no require, no page. */
function bare(globals: object = {}): (code: string) => unknown {
  const context = createContext({ ...globals })
  runInContext(script, context)
  return code => runInContext(code, context)
}

const file = `contract: workflow.v1
name: In a browser
when: { event: { schema: plate.recognized.v1 } }
then:
  - app: { id: gate-controller, action: open }
`

test('nothing of Node or Bun is in the bundle', () => {
  expect(script).not.toMatch(/\bBun\.|require\(|from ?"node:|process\.(versions|cwd|platform)/)
})

test('it checks a file in a bare context', () => {
  const run = bare({ TextEncoder, file })
  expect(run('typeof process + typeof Bun + typeof require + typeof document')).toBe('undefined'.repeat(4))
  expect(run('contract.parse(file).problems.map(p => [p.code, p.line, p.column].join(" ")).join()')).toBe(
    'move_unguarded 5 5,unknown_app 5 16',
  )
  expect(run('contract.parse(file.replace(/- app.*/, "- log: hello")).workflow.then[0].params')).toBe('hello')
})

test('it is small enough for a page', () => {
  const size = gzipSync(script).length
  console.info(`the contract in a browser: ${(size / 1000).toFixed(1)} kB gzipped`)
  expect(size).toBeLessThan(mostBytes)
})
