import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyFix, type Problem, parse } from '../../src/contract/index.ts'

const folder = join(import.meta.dirname, 'corpus')
const files = readdirSync(folder).map(file => {
  const text = readFileSync(join(folder, file), 'utf8')
  return { file, text, expected: /^# expect: (.*)$/m.exec(text)?.[1] }
})
const errorsOf = (text: string, file?: string) =>
  parse(text, file ? { file } : {}).problems.filter(({ severity }) => severity === 'error')
const placed = ({ code, line, column }: Problem) => `${code} ${line}:${column}`

/** Codes of which every file here must offer a repair that mends it wholly. */
const ALWAYS_MENDED = [
  'yaml_tab',
  'yaml_anchor',
  'yaml_tag',
  'unquoted_placeholder',
  'not_text',
  'missing_path',
  'not_a_list',
]

describe('files that must be refused', () => {
  test('there are at least 150, with at least 60 codes', () => {
    expect(files.length).toBeGreaterThanOrEqual(150)
    expect(new Set(files.map(({ expected }) => expected?.split(' ')[0])).size).toBeGreaterThanOrEqual(50)
  })

  test.each(files)('$file', ({ file, text, expected }) => {
    const parsed = parse(text, { file })
    const errors = parsed.problems.filter(({ severity }) => severity === 'error')
    expect(errors.map(placed)).toEqual([expected])
    expect(parsed.workflow).toBeUndefined()
    for (const problem of parsed.problems) {
      expect(problem.file).toBe(file)
      expect(problem.code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(problem.message).toMatch(/^\S[^\n]*[.?…]$/)
    }
  })

  test.each(files.filter(({ text }) => errorsOf(text).some(({ fix }) => fix)))(
    'the repair of $file mends it',
    ({ text, expected }) => {
      const [problem] = errorsOf(text)
      if (!problem?.fix) throw new Error('no fix')
      const after = errorsOf(applyFix(text, problem.fix))
      expect(after.map(({ code }) => code)).not.toContain(expected?.split(' ')[0])
    },
  )

  test.each(files.filter(({ file }) => ALWAYS_MENDED.some(code => file.startsWith(`${code}-`))))(
    '$file has a repair after which nothing is wrong',
    ({ text }) => {
      const [problem] = errorsOf(text)
      expect(problem?.fix).toBeDefined()
      if (problem?.fix)
        expect(errorsOf(applyFix(text, problem.fix)).filter(e => e.code === problem.code)).toEqual([])
    },
  )
})
