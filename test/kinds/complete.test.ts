import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  actionKind,
  conditionKind,
  flowKind,
  parse,
  toolKind,
  triggerKind,
} from '../../src/contract/index.ts'
import { actions, conditions, missing, missingIn, tools, triggers } from '../../src/kinds/index.ts'

/** The kinds of a group, as the contract's folder of descriptors lists them. */
const described = (folder: string, kindOf: (kind: string) => unknown) =>
  readdirSync(join(import.meta.dirname, '../../src/contract/kinds', folder))
    .map(file => file.replace(/\.ts$/, ''))
    .filter(kind => kindOf(kind) !== undefined)

/** Steps that the engine itself carries out. */
const steps = { ai: true, ask_person: true, call: true, if: true, wait: true, for_each: true, wait_for: true }
/** Conditions that `holds` combines. */
const combined = { not: true, any: true, all: true }

describe.each([
  ['triggers', described('triggers', triggerKind), triggers, missing.triggers],
  ['conditions', described('conditions', conditionKind), { ...conditions, ...combined }, {}],
  ['steps', described('steps', flowKind), steps, missing.steps],
  ['actions', described('actions', actionKind), actions, missing.actions],
  ['tools', described('tools', toolKind), tools, missing.tools],
])('%s', (_, kinds, functions, reasons) => {
  test('every described kind has its function or a stated reason, and never both', () => {
    expect(kinds.length).toBeGreaterThanOrEqual(7)
    expect([...Object.keys(functions), ...Object.keys(reasons)].sort()).toEqual([...kinds].sort())
  })
})

const file = (rest: string) => {
  const { workflow, problems } = parse(`contract: workflow.v1\nname: W\n${rest}`)
  if (!workflow) throw new Error(JSON.stringify(problems))
  return missingIn(workflow).map(({ sentence }) => sentence)
}

test('a file says what it needs and this version lacks, wherever it stands', () => {
  expect(file('when: { button: {} }\nthen: [ log: x ]')).toEqual([])
  const found = file(`
when: { camera_offline: { for: 1m } }
if: [ not: { any: [ { text_visible: { camera: gate, contains_any: [dhl] } }, { site_mode: [home] } ] } ]
then:
  - if: [ site_mode: [home] ]
    then:
      - if: [ { text_visible: { camera: gate, contains_any: [dhl] } } ]
        then: [ save_clip: {} ]
always:
  - ptz_preset: { camera: gate, preset: Door }
`)
  expect(found.map(sentence => sentence.split(':')[0])).toEqual(['text_visible', 'save_clip', 'ptz_preset'])
})
