import { Type } from '@sinclair/typebox'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callForm, callKey, readCall } from '../../../src/ai/investigate/call.ts'
import { type Tool, ToolBox } from '../../../src/ai/tools.ts'
import { tools as kinds } from '../../../src/contract/kinds/index.ts'
import { makeTool } from '../../../src/kinds/index.ts'
import { roomOf } from '../../kinds/tool-room.ts'
import { Grammar } from '../decision/gbnf.ts'
import { fits } from '../decision/schema-check.ts'
import { tool } from './world.ts'

/** Every sort of argument there is. */
const odd = tool({
  name: 'odd',
  parameters: Type.Object(
    {
      a: Type.Optional(Type.Boolean()),
      b: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
      c: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 5 }), { minItems: 2, maxItems: 4 })),
      d: Type.Optional(Type.Union([Type.Literal('"], }'), Type.Literal('\\"'), Type.Literal('größe')])),
      e: Type.String({ minLength: 1, maxLength: 12 }),
    },
    { additionalProperties: false },
  ),
})
const real = () =>
  Object.keys(kinds).flatMap(name => {
    const made = makeTool(name, roomOf(), 'auto')
    return made?.mode === 'unavailable' || !made ? [] : [made]
  })

describe('every text of the grammar of calls', () => {
  test.each<[string, () => Tool[]]>([
    ['of tools with all sorts of arguments', () => [odd, tool()]],
    ['of the tools that there are, five at a time', real],
  ])('%s is read as a call, and fits the schema', (_, all) => {
    const every = all()
    for (let at = 0; at < every.length; at += 5) {
      const box = new ToolBox(every.slice(at, at + 5))
      const { grammar, schema, maxTokens } = callForm(box.offered)
      const says = new Grammar(grammar)
      fc.assert(
        fc.property(fc.infiniteStream(fc.nat(1_000_000)), numbers => {
          const text = says.say(below => Number(numbers.next().value) % below)
          const call = readCall(text, name => box.get(name))
          if (call.is !== 'call' && call.is !== 'finish')
            throw new Error(`${text} is ${JSON.stringify(call)}`)
          const said = call.is === 'call' ? { tool: call.name, args: call.args } : JSON.parse(text)
          expect(fits(schema, said)).toBe(true)
          expect([...text].length).toBeLessThanOrEqual(maxTokens * 2)
        }),
        { numRuns: 150 },
      )
    }
  })
})

test('a fence and thinking before a call are forgiven; a whole number out of range is taken for the nearest', () => {
  const of = (name: string) => (name === 'odd' ? odd : undefined)
  const text = '<think>hm {"tool": "x"}</think>\n```json\n{"tool": "odd", "args": {"e": "x", "b": 99}}\n```'
  expect(readCall(text, of)).toMatchObject({ is: 'call', args: { e: 'x', b: 30 } })
  expect(readCall('{"tool": "odd", "args": {"e": "x", "b": 1.5}}', of)).toMatchObject({ is: 'malformed' })
})

test('hostile texts are never read as a call of something else, and never throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.string().map(tool => JSON.stringify({ tool, args: {} })),
      ),
      text => {
        const call = readCall(text, name => (name === 'odd' ? odd : undefined))
        expect(['malformed', 'unlisted', 'finish']).toContain(call.is)
      },
    ),
  )
})

test('the order of arguments makes no other call', () => {
  expect(callKey('a', { x: 1, y: [1, { p: 1, q: 2 }] })).toBe(callKey('a', { y: [1, { q: 2, p: 1 }], x: 1 }))
  expect(callKey('a', { x: 1 })).not.toBe(callKey('a', { x: '1' }))
})
