import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, print, type Workflow, walk } from '../../src/contract/index.ts'
import { STEP_KINDS } from '../../src/contract/kinds/index.ts'
import { ReadContext } from '../../src/contract/read-context.ts'
import { readWorkflow } from '../../src/contract/read-workflow.ts'
import { ProblemList } from '../../src/contract/reporter.ts'
import { readSource } from '../../src/contract/source.ts'
import { workflow } from './arbitraries.ts'

/** Reads without the checks of the whole file: a random one rarely passes the safety proof. */
function read(text: string): { workflow: Workflow | null; errors: string[] } {
  const problems = new ProblemList(text)
  const source = readSource(text, problems)
  const found = source && readWorkflow(source, new ReadContext(text, problems))
  const errors = problems.problems().filter(({ severity }) => severity === 'error')
  return {
    workflow: found,
    errors: errors.map(({ line, code, path, message }) => `${line} ${code} ${path} ${message}`),
  }
}

test('what is printed is read as the same workflow, and printed as the same bytes', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(workflow, given => {
      walk(given, ({ step }) => seen.add(step.kind))
      const text = print(given)
      const { workflow: found, errors } = read(text)
      expect(errors).toEqual([])
      expect(found).toEqual(given)
      expect(print(found as Workflow)).toBe(text)
    }),
    { numRuns: 150 },
  )
  expect([...seen].sort()).toEqual([...STEP_KINDS].filter((kind, i, all) => all.indexOf(kind) === i).sort())
})

test('parse accepts what print made of what parse read', () => {
  const text = `# a comment
name: "Gate"   # another
contract: workflow.v1
then: [ alert: { title: 'It''s {camera}', severity: low } ]
when: { detect.person_in_zone: { min_seconds: 5, cameras: [gate] } }
`
  const { workflow: first } = parse(text)
  expect(first && print(first)).toBe(`contract: workflow.v1
name: Gate
state: test
when:
  detect.person_in_zone: { cameras: [gate], min_seconds: 5 }
then:
  - alert: { severity: low, title: "It's {camera}" }
`)
})

test('long texts of several lines are printed as blocks', () => {
  const { workflow: first } = parse(
    'contract: workflow.v1\nname: x\nwhen: { button: {} }\nthen: [ log: "one\\n# two\\n\\n  three" ]\n',
  )
  expect(first && print(first)).toContain('  - log: |-\n      one\n      # two\n\n        three\n')
})
