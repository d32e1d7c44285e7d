import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { exportYaml, rename, reread } from '../../src/contract/index.ts'

const FILE = `# The gate
contract: workflow.v1
name: Gate
needs: { cameras: [gate, yard], lists: [residents], roles: [guard], destinations: { gate: move, chat: tell } }
when: { event: { schema: plate.recognized.v1, cameras: [gate, "yard"], where: { camera: gate } } } # gate
if:
  - camera: [gate]
  - not: { in_list: { list: residents, value: "{plate}" } }
then:
  - alert: { severity: low, title: gate, camera: gate }
  - notify: { who: [role:guard, "role:guard"], message: residents at the gate }
  - for_each: { list: residents, as: one, do: [ { webhook: { to: chat, json: { to: chat } } } ] }
  - ask_person: { who: role:guard, message: "gate?", replies: [gate, chat], timeout: 60s, default: chat }
    gate: [ webhook: { to: gate } ]
`

test('names of cameras, lists, people and destinations become others, and nothing else of the text', () => {
  const to = { cameras: { gate: 'front' }, lists: { residents: 'tenants' } }
  const more = { roles: { guard: 'porter' }, destinations: { gate: 'barrier', chat: 'null' } }
  expect(rename(FILE, { ...to, ...more })).toBe(`# The gate
contract: workflow.v1
name: Gate
needs: { cameras: [front, yard], lists: [tenants], roles: [porter], destinations: { barrier: move, "null": tell } }
when: { event: { schema: plate.recognized.v1, cameras: [front, "yard"], where: { camera: gate } } } # gate
if:
  - camera: [front]
  - not: { in_list: { list: tenants, value: "{plate}" } }
then:
  - alert: { severity: low, title: gate, camera: front }
  - notify: { who: [role:porter, "role:porter"], message: residents at the gate }
  - for_each: { list: tenants, as: one, do: [ { webhook: { to: "null", json: { to: chat } } } ] }
  - ask_person: { who: role:porter, message: "gate?", replies: [gate, chat], timeout: 60s, default: chat }
    gate: [ webhook: { to: barrier } ]
`)
})

test('two names may change places, and what is not named or not understood stays', () => {
  const swapped = rename(FILE, { cameras: { gate: 'yard', yard: 'gate' } })
  expect(swapped).toContain('cameras: [yard, "gate"]')
  expect(rename(swapped, { cameras: { gate: 'yard', yard: 'gate' } })).toBe(FILE)
  expect(rename(FILE, { cameras: { north: 'south' }, lists: {} })).toBe(FILE)
  expect(rename('name: [', { cameras: { gate: 'yard' } })).toBe('name: [')
})

test('what a template needs is renamed there and back to the byte', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../templates/gate-concierge.yaml'), 'utf8')
  const there = { cameras: { gate: 'x1' }, lists: { residents: 'x2' }, roles: { guard: 'x3' } }
  const back = { cameras: { x1: 'gate' }, lists: { x2: 'residents' }, roles: { x3: 'guard' } }
  const other = rename(text, there)
  const { needs } = reread(exportYaml(reread(other) ?? never())) ?? never()
  expect(needs).toMatchObject({ cameras: ['x1'], lists: expect.arrayContaining(['x2']), roles: ['x3'] })
  expect(rename(other, back)).toBe(text)
})

function never(): never {
  throw new Error('it holds')
}
