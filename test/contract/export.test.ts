import { describe, expect, test } from 'vitest'
import { exportYaml, fillNeeds, parse, type Workflow } from '../../src/contract/index.ts'
import { siteOf } from './proof/corpus.ts'

const TEXT = `contract: workflow.v1
name: Gate
state: on
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
if:
  - not: { in_list: { list: residents, value: "{plate}" } }
then:
  - ai:
      mode: look
      prompt: What is it?
      input: picture
      decision: [van, other]
      van:
        - ask_person: { who: [role:guard, person:Anna, "person:Bob B."], message: Open?, replies: [Open, Leave], timeout: 1m }
          Open: [ app: { id: gate-controller, action: open } ]
      other: [ webhook: { to: lamp } ]
      unsure: [ notify: { who: "person:Anna", message: "{reason}" } ]
`

const workflowOf = (text: string): Workflow => {
  const { workflow, problems } = parse(text)
  if (!workflow) throw new Error(JSON.stringify(problems))
  return workflow
}
/** `lamp` only informs: the file says so, as its site does. */
const gate = workflowOf(TEXT.replace('state: on', 'state: on\nneeds: { destinations: { lamp: tell } }'))

describe('export', () => {
  test('fills needs, says test and names nobody', () => {
    const { workflow } = parse(exportYaml(gate))
    expect(workflow?.state).toBe('test')
    expect(workflow?.needs).toEqual({
      cameras: ['gate'],
      lists: ['residents'],
      roles: ['guard', 'recipient'],
      destinations: { lamp: 'tell' },
      apps: ['gate-controller'],
      skills: ['look.picture', 'notify'],
    })
    expect(exportYaml(gate)).not.toMatch(/\bperson:/)
    expect(JSON.stringify(workflow?.then)).toContain('["role:guard","role:recipient"]')
  })

  test('leaves the workflow itself alone', () => {
    const before = structuredClone(gate)
    exportYaml(gate)
    expect(gate).toEqual(before)
  })

  test('of an import of an export is the same bytes', () => {
    const once = exportYaml(gate)
    expect(exportYaml(workflowOf(once))).toBe(once)
  })

  test("takes a destination's class from the site, else from the file, else move", () => {
    expect(fillNeeds(gate, siteOf({ destinations: { lamp: 'move' } })).destinations).toEqual({ lamp: 'move' })
    expect(fillNeeds(gate).destinations).toEqual({ lamp: 'tell' })
    const { needs: _needs, ...bare } = gate
    expect(fillNeeds(bare).destinations).toEqual({ lamp: 'move' })
  })

  test('of what needs nothing has no needs', () => {
    const plain = workflowOf('contract: workflow.v1\nname: x\nwhen: { button: {} }\nthen: [ log: x ]\n')
    expect(exportYaml(plain)).not.toContain('needs')
  })
})
