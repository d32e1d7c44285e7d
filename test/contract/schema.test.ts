import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { jsonSchema, parse, registry } from '../../src/contract/index.ts'
import { accepts } from './check-schema.ts'

const root = join(import.meta.dirname, '../..')
const yamlIn = (folder: string) =>
  readdirSync(folder)
    .filter(file => file.endsWith('.yaml'))
    .map(file => [file, readFileSync(join(folder, file), 'utf8')] as const)
const good = [...yamlIn(join(root, 'templates')), ...yamlIn(join(import.meta.dirname, 'accepted'))]

describe('the JSON Schema', () => {
  const schema = jsonSchema()

  test('is plain JSON of draft 2020-12, and its references resolve', () => {
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema)
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(JSON.stringify(schema)).not.toContain('expects')
  })

  test.each(good)('accepts %s', (_file, text) => {
    expect(accepts(schema, parseYaml(text))).toBe(true)
  })

  test.each([
    ['no trigger', { name: 'x', then: [{ log: 'x' }] }],
    ['an unknown key', { name: 'x', when: { button: {} }, then: [{ log: 'x' }], steps: [] }],
    ['two triggers', { name: 'x', when: { button: {}, message: {} }, then: [{ log: 'x' }] }],
    ['an unknown step', { name: 'x', when: { button: {} }, then: [{ open: 'gate' }] }],
    ['a step of two kinds', { name: 'x', when: { button: {} }, then: [{ log: 'x', wait: '5s' }] }],
    ['a bad duration', { name: 'x', when: { button: {} }, then: [{ wait: '5 min' }] }],
    [
      'a bad step on a path',
      { name: 'x', when: { button: {} }, then: [{ if: [{ elapsed: '5s' }], then: [{ lgo: 1 }] }] },
    ],
    [
      'a bad condition',
      { name: 'x', when: { button: {} }, if: [{ not: { mood: 'good' } }], then: [{ log: 'x' }] },
    ],
    ['no steps', { name: 'x', when: { button: {} }, then: [] }],
  ])('refuses %s', (_what, value) => {
    expect(accepts(schema, value)).toBe(false)
  })
})

test.each(good)('%s parses as written', (file, text) => {
  const { workflow, problems } = parse(text, { file })
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(workflow).toBeDefined()
})

test('the registry names every kind with a description, a schema and an effect', () => {
  const { triggers, conditions, steps, actions, tools } = registry()
  expect(triggers.map(({ kind }) => kind)).toEqual([
    'alert',
    'event',
    'detect.person_in_zone',
    'camera_offline',
    'schedule',
    'button',
    'webhook',
    'message',
    'watch',
  ])
  expect(conditions).toHaveLength(11)
  expect(steps.filter(({ ai }) => ai).map(({ kind }) => kind)).toEqual(['ai', 'call'])
  expect(Object.fromEntries(actions.map(({ kind, effect }) => [kind, effect]))).toEqual({
    alert: 'tell',
    notify: 'tell',
    log: 'read',
    save_clip: 'tell',
    save_picture: 'tell',
    ptz_preset: 'by_use',
    webhook: 'by_use',
    mqtt: 'by_use',
    home_assistant: 'by_use',
    site_mode: 'move',
    app: 'by_use',
    reply: 'tell',
    speak: 'tell',
  })
  expect(tools.filter(({ effect }) => effect !== 'read').map(({ kind }) => kind)).toEqual(['ask_person'])
  expect(tools).toHaveLength(13)
  for (const { description } of [...triggers, ...conditions, ...steps, ...actions, ...tools]) {
    expect(description).toMatch(/^[A-Z].*\.$/)
  }
  expect(JSON.parse(JSON.stringify(registry()))).toEqual(registry())
})
