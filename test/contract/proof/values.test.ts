import { expect, test } from 'vitest'
import { parse, type Workflow } from '../../../src/contract/index.ts'
import { type Giver, resolve, valuesAt } from '../../../src/contract/values/index.ts'

function read(text: string): Workflow {
  const { workflow, problems } = parse(`contract: workflow.v1\nname: Values\n${text}`)
  if (!workflow) throw new Error(problems.map(problem => problem.message).join('\n'))
  return workflow
}

const gate = read(`
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - ai:
      mode: look
      prompt: Whose van?
      input: picture
      fields: { company: [dhl, none], vehicles: { measure: count, of: vehicle } }
      decision: [seen]
      seen:
        - ask_person: { who: role:guard, message: Open?, replies: [Let in], timeout: 60s }
          name: asked
          Let in: [ log: yes ]
      unsure: []
    name: look
  - for_each:
      cameras: [gate]
      as: view
      collect: notes
      do: [ log: "{view}" ]
  - log: done
`)

test('the trigger gives its payload from the beginning, clean where its kind says so', () => {
  const values = valuesAt(gate, 'when')
  expect(values.get('plate')).toMatchObject({ from: 'when', clean: true, identity: true, type: 'text' })
  expect(values.get('trigger.plate_text')).toMatchObject({ from: 'when', clean: true })
  expect(values.get('confidence')).toMatchObject({ clean: false, type: 'number' })
  expect(values.has('company')).toBe(false)
})

test('a step gives to its own paths and to what follows', () => {
  expect(valuesAt(gate, 'then[0]').has('company')).toBe(false)
  expect(valuesAt(gate, 'then[0].seen[0]').get('look.vehicles')).toMatchObject({
    type: 'number',
    clean: false,
  })
  expect(valuesAt(gate, 'then[1]').get('company')).toMatchObject({ from: 'then[0]', certain: true })
})

test('a path with an outcome that is no plain name has its place', () => {
  expect(valuesAt(gate, 'then[0].seen[0]["Let in"][0]').get('asked.answer')).toMatchObject({
    certain: true,
    clean: false,
  })
})

test('what only some ways give is not certain behind them', () => {
  expect(valuesAt(gate, 'then[1]').get('answer')).toMatchObject({ certain: false })
  expect(valuesAt(gate, 'end').get('look.company')).toMatchObject({ certain: false })
  expect(valuesAt(gate, 'end').get('plate')).toMatchObject({ certain: true })
})

test('an item stays in its loop; what the loop collects comes out', () => {
  expect(valuesAt(gate, 'then[1].do[0]').get('view')).toMatchObject({ clean: true })
  expect(valuesAt(gate, 'then[1].do[0]').has('notes')).toBe(false)
  expect(valuesAt(gate, 'then[2]').has('view')).toBe(false)
  expect(valuesAt(gate, 'then[2]').get('notes')).toMatchObject({ clean: false, from: 'then[1]' })
})

test('a plain name with two givers on one way is ambiguous, the long names are not', () => {
  const file = read(`
when: { button: {} }
then:
  - ask_person: { who: role:guard, message: A?, replies: [Yes], timeout: 60s }
    name: first
  - ask_person: { who: role:guard, message: B?, replies: [Yes], timeout: 60s }
    name: second
  - log: "{first.answer} {second.answer}"
`)
  const values = valuesAt(file, 'then[2]')
  expect(values.get('answer')?.ambiguous).toEqual(['then[0]', 'then[1]'])
  expect(values.get('first.answer')).toMatchObject({ from: 'then[0]' })
  expect(values.get('second.answer')?.ambiguous).toBeUndefined()
})

test('a place that is not there has no values', () => {
  expect(valuesAt(gate, 'then[9]').size).toBe(0)
})

test('of several givers that exclude each other all must be clean', () => {
  const giver = (from: string, clean: boolean): Giver => ({
    name: 'plate',
    slug: null,
    from,
    given: { type: 'text', clean, identity: true, description: '' },
    certain: false,
  })
  const resolved = (...givers: Giver[]) => resolve({ givers, open: null }, 'plate')
  expect(resolved(giver('then[0].a[0]', true), giver('then[0].b[0]', false))).toMatchObject({
    ok: true,
    clean: false,
  })
  expect(resolved(giver('then[0].a[0]', true), giver('then[0].b[0]', true))).toMatchObject({
    ok: true,
    clean: true,
  })
  expect(resolved(giver('then[0].a[0]', true), giver('then[0].a[1]', true))).toMatchObject({ ok: false })
})

test('a value that is missing in always is a warning, elsewhere an error', () => {
  const severities = (text: string) =>
    parse(`contract: workflow.v1\nname: V\nwhen: { button: {} }\n${text}`).problems.map(
      ({ severity, code }) => `${severity} ${code}`,
    )
  expect(severities('then: [ log: hi ]\nalways: [ log: "{reason}" ]')).toEqual(['warning unknown_value'])
  expect(severities('then: [ log: "{reason}" ]')).toEqual(['error unknown_value'])
})
