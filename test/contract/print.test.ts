import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse, print, type Workflow, walk } from '../../src/contract/index.ts'
import { ReadContext } from '../../src/contract/read-context.ts'
import { readWorkflow } from '../../src/contract/read-workflow.ts'
import { ProblemList } from '../../src/contract/reporter.ts'
import { readSource } from '../../src/contract/source.ts'
import { actionsByKind, conditionsByKind, triggersByKind, workflow } from './arbitraries.ts'

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

function survives(given: Workflow): void {
  const text = print(given)
  const { workflow: found, errors } = read(text)
  expect(errors).toEqual([])
  expect(found).toEqual(given)
  expect(print(found as Workflow)).toBe(text)
}

const flowKinds = ['ai', 'if', 'for_each', 'ask_person', 'call', 'wait', 'wait_for']

test('what is printed is read as the same workflow, and printed as the same bytes', () => {
  const seen = new Set<string>()
  const property = fc.property(workflow, given => {
    walk(given, ({ step }) => seen.add(step.kind))
    survives(given)
  })
  fc.assert(property, { numRuns: 60 })
  expect([...seen]).toEqual(expect.arrayContaining(flowKinds))
})

const minimal: Workflow = {
  contract: 'workflow.v1',
  name: 'Minimal',
  state: 'test',
  limits: {},
  when: { kind: 'button', params: {} },
  if: [],
  then: [{ kind: 'log', params: 'x', paths: {} }],
  always: [],
}

test.each(actionsByKind)('so is a file with the action %s', (_kind, action) => {
  fc.assert(
    fc.property(action, step => survives({ ...minimal, then: [step] })),
    { numRuns: 20 },
  )
})

test.each(conditionsByKind)('so is a file with the condition %s', (_kind, condition) => {
  fc.assert(
    fc.property(condition, one => survives({ ...minimal, if: [one] })),
    { numRuns: 20 },
  )
})

test.each(triggersByKind)('so is a file with the trigger %s', (_kind, trigger) => {
  fc.assert(
    fc.property(trigger, when => survives({ ...minimal, when })),
    { numRuns: 20 },
  )
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
