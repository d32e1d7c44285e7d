import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from '../../src/contract/index.ts'
import { MOST_BYTES } from '../../src/contract/source.ts'

const folder = join(import.meta.dirname, 'proof/accepted')
const seeds = readdirSync(folder).map(file => readFileSync(join(folder, file), 'utf8'))

/** CPU time, not wall time: the machine may be busy with other things. */
function survives(text: string): void {
  const before = process.cpuUsage()
  const { problems, workflow, locate } = parse(text)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(1000)
  const errors = problems.filter(({ severity }) => severity === 'error')
  expect(errors.length > 0).toBe(workflow === undefined)
  expect(problems.length).toBeLessThanOrEqual(200)
  const lines = text.split('\n')
  for (const { line, column, path, fix } of problems) {
    expect(line).toBeGreaterThanOrEqual(1)
    expect(line).toBeLessThanOrEqual(lines.length)
    expect(column).toBeGreaterThanOrEqual(1)
    expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1)
    expect(locate(path).line).toBeGreaterThanOrEqual(1)
    for (const { from, to } of fix?.edits ?? []) {
      expect(from).toBeLessThanOrEqual(to)
      expect(to).toBeLessThanOrEqual(text.length)
    }
  }
}

const SPICE = [
  '\t',
  '\ufeff',
  '\r\n',
  '\r',
  '\0',
  '\u2028',
  '\ud800',
  '&a ',
  '*a',
  '!!str ',
  '!x ',
  '<<: ',
  '? ',
  ': ',
  '- ',
  '---\n',
  '...\n',
  '%YAML 1.1\n',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  '|',
  '>',
  '#',
  ',',
  '{x}',
  '{{x}}',
  '__proto__: 1\n',
  'constructor: 1\n',
  '1: 2\n',
  'null',
  '~',
  '.nan',
  '0x10',
  '1e999',
  '\\',
  '  ',
  '\n',
]

const mutation = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  drop: fc.integer({ min: 0, max: 12 }),
  add: fc.oneof(fc.constantFrom(...SPICE), fc.string({ maxLength: 4, unit: 'binary' })),
  times: fc.integer({ min: 1, max: 3 }),
})

test('mutated files never throw, take long, or point outside the text', () => {
  const property = fc.property(
    fc.constantFrom(...seeds),
    fc.array(mutation, { minLength: 1, maxLength: 6 }),
    (seed, mutations) => {
      let text = seed
      for (const { at, drop, add, times } of mutations) {
        const place = Math.floor(at * text.length)
        text = text.slice(0, place) + add.repeat(times) + text.slice(place + drop)
      }
      survives(text)
    },
  )
  fc.assert(property, { numRuns: 250 })
})

test('lines that change places never throw', () => {
  const property = fc.property(fc.constantFrom(...seeds), fc.infiniteStream(fc.nat(50)), (seed, stream) => {
    const lines = seed.split('\n')
    survives(lines.map(line => lines[(stream.next().value ?? 0) % lines.length] ?? line).join('\n'))
  })
  fc.assert(property, { numRuns: 100 })
})

const most = (text: string) => text.repeat(Math.floor(MOST_BYTES / text.length))
const half = Math.floor(MOST_BYTES / 2)

test.each(
  Object.entries({
    'open lists': most('['),
    'open maps': most('{a: '),
    dashes: most('- '),
    'question marks': most('? '),
    'closed lists': '['.repeat(half) + ']'.repeat(half),
    'a list of lists under then': `then: ${'['.repeat(half / 2)}${']'.repeat(half / 2)}`,
    'deep indentation': Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    'many keys': Array.from({ length: 4500 }, (_, i) => `key${i}: 1`).join('\n'),
    'the same key': most('a: 1\n'),
    'a huge word': `name: ${'x'.repeat(MOST_BYTES - 10)}`,
    'a huge quoted text': `name: "${'\\n'.repeat(half - 10)}"`,
    'a huge block': `name: |\n${' x\n'.repeat(MOST_BYTES / 3 - 10)}`,
    comments: most('#\n'),
    documents: most('---\n'),
    quotes: most('"'),
    apostrophes: `${most("'")}`,
    exclamations: most('!'),
    ampersands: most('&'),
    anchors: most('- &a a\n'),
    aliases: `- &a [x]\n${'- *a\n'.repeat(10_000)}`,
    laughs: `a: &a [x, x]\n${Array.from({ length: 60 }, (_, i) => `b${i}: &b${i} [*a, *a]`).join('\n')}`,
    'merge keys': most('<<: { a: 1 }\n'),
    colons: most(':\n'),
    commas: most(',\n'),
    tabs: most('\t'),
    'placeholders of a text': `contract: workflow.v1\nname: x\nwhen: { webhook: {} }\nthen:\n  - log: "${'{a}'.repeat(330)}"\n`,
    'many placeholders': `contract: workflow.v1\nname: x\nwhen: { webhook: {} }\nthen:\n${`  - log: "${'{a}{b}{c}'.repeat(100)}"\n`.repeat(100)}`,
    'many steps': `contract: workflow.v1\nname: x\nwhen: { webhook: {} }\nthen:\n${'  - log: x\n'.repeat(5500)}`,
    'many unknown steps': `contract: workflow.v1\nname: x\nwhen: { webhook: {} }\nthen:\n${'  - lgo: x\n'.repeat(5500)}`,
    'many asks': `contract: workflow.v1\nname: x\nwhen: { webhook: {} }\nthen:\n${`  - ask_person: { who: role:a, message: m, replies: [Y, N], timeout: 1m }\n    Y: [ log: "{answer}" ]\n`.repeat(500)}`,
    'nested branches': `contract: workflow.v1\nname: x\nwhen: { webhook: {} }\nthen:${nested(30)}`,
    'a long rule table': `contract: workflow.v1\nname: x\nwhen: { webhook: {} }\nthen:\n  - ai:\n      mode: look\n      prompt: p\n      input: event\n      decision: [a]\n      fields: { f: text }\n      rules:\n${'        - { when: { f: { contains_any: [x, y, z] } }, then: a }\n'.repeat(900)}      a: []\n      unsure: []\n`,
    'a long unknown word': `contract: workflow.v1\nname: x\nwhen: { webhook: {} }\n${'k'.repeat(MOST_BYTES - 200)}: 1\n`,
    'too many bytes': 'é'.repeat(MOST_BYTES),
    nothing: '',
    'a byte order mark': '\ufeff',
    nul: '\0',
  }),
)('%s', (_name, text) => {
  survives(text)
})

/** `if` in `if` in `if`, with a branching step after each. */
function nested(depth: number): string {
  if (depth === 0) return ' [ log: x ]'
  return ` [ { if: [ site_mode: [a] ], then:${nested(depth - 1)}, else: [ log: y ] } ]`
}

test('line ends of other systems and a byte order mark change nothing', () => {
  for (const seed of seeds) {
    const plain = parse(seed)
    const other = parse(`\ufeff${seed.replaceAll('\n', '\r\n')}`)
    expect(other.workflow).toEqual(plain.workflow)
    const places = ({ problems }: typeof plain) =>
      problems.map(({ code, line, column }) => [code, line, column])
    expect(places(other)).toEqual(places(plain))
  }
})
