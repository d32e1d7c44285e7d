import { Type } from '@sinclair/typebox'
import { describe, expect, test } from 'vitest'
import { defineTool, effectiveMode, Tool, ToolBox, type ToolDefinition } from '../../../src/ai/tools.ts'

const parameters = Type.Object({ camera: Type.Optional(Type.String({ maxLength: 20 })) })
const definition = (patch: Partial<ToolDefinition<typeof parameters>> = {}) => ({
  name: 'look_there',
  description: 'Looks.',
  parameters,
  mode: 'auto' as const,
  effect: 'read' as const,
  handler: () => ({ result: 'seen' }),
  ...patch,
})

describe('a tool', () => {
  test('that moves something is no type, and cannot be made against it', () => {
    // @ts-expect-error: there is no such effect
    expect(() => defineTool(definition({ effect: 'move' }))).toThrow(TypeError)
    // @ts-expect-error: nor this one
    expect(() => defineTool(definition({ effect: 'tell' }))).toThrow('effect tell')
    for (const effect of ['move', 'tell', undefined, null, 'Read', ['read'], { toString: () => 'read' }]) {
      const cast = definition({ effect: effect as 'read' })
      expect(() => defineTool(cast)).toThrow(TypeError)
      expect(() => new Tool(cast as unknown as ToolDefinition)).toThrow(TypeError)
    }
  })

  test('cannot be forged, nor changed into one that moves', () => {
    const real = defineTool(definition())
    const forged = { ...real, effect: 'move', call: async () => ({ result: 1 }) }
    // @ts-expect-error: it only looks like a tool
    expect(() => new ToolBox([forged])).toThrow(TypeError)
    const posing = Object.create(Tool.prototype, { name: { value: 'x' }, effect: { value: 'move' } }) as Tool
    expect(() => new ToolBox([posing])).toThrow(TypeError)
    expect(() => Object.assign(real, { effect: 'move' })).toThrow(TypeError)
    class Mover extends Tool {
      override readonly effect = 'move' as never
    }
    expect(() => new Mover(definition() as unknown as ToolDefinition)).toThrow(TypeError)
    expect(real.effect).toBe('read')
  })

  test('has a plain name, plain arguments and a known mode', () => {
    expect(() => defineTool(definition({ name: 'finish' }))).toThrow(TypeError)
    expect(() => defineTool(definition({ name: 'a b' }))).toThrow(TypeError)
    expect(() => defineTool(definition({ mode: 'always' as 'auto' }))).toThrow(TypeError)
    const nested = Type.Object({ a: Type.Object({}) })
    expect(() => defineTool(definition({ parameters: nested as never }))).toThrow('no plain sort')
  })
})

describe('the tools of a step', () => {
  const many = (n: number) => Array.from({ length: n }, (_, i) => defineTool(definition({ name: `t${i}` })))

  test('are at most five, each once', () => {
    expect(new ToolBox(many(5)).offered).toHaveLength(5)
    expect(() => new ToolBox(many(6))).toThrow(TypeError)
    expect(() => new ToolBox([...many(1), ...many(1)])).toThrow('twice')
  })

  test('offer what may be used', () => {
    const box = new ToolBox([defineTool(definition({ mode: 'unavailable', why: 'it is off' }))])
    expect(box.offered).toEqual([])
    expect(box.get('look_there')?.why).toBe('it is off')
  })
})

test.each([
  ['auto', 'auto', 'auto'],
  ['auto', 'ask', 'ask'],
  ['ask', 'auto', 'ask'],
  ['ask', 'unavailable', 'unavailable'],
  ['unavailable', 'auto', 'unavailable'],
] as const)('a site that says %s and a step that says %s make %s', (site, step, mode) => {
  expect(effectiveMode(site, step)).toBe(mode)
})
