import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, registry } from '../../src/contract/index.ts'
import { translate } from '../../src/web/page/words/de/said/index.ts'
import { isSentence, textsIn } from './literals.ts'

/** What there is no German for. */
const missing = (texts: Iterable<string>): string[] =>
  [...new Set(texts)].filter(text => !translate(text)?.whole)

const contract = join(import.meta.dirname, '../contract')
const files = readdirSync(contract, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.yaml'))
  .map(name => readFileSync(join(contract, name), 'utf8'))

/** Sentences that are put together out of others; files above say each of them. */
const IN_PIECES = [
  'No § § at this site: add it to the site, or change the name.§',
  'This§ is no step: write its kind, a colon and its parameters.',
  '§ is missing: add it§.',
  '§ Texts in it may hold placeholders.',
  'What is published.',
  'What is sent.',
  '§ is §: §. Did you mean §?',
]

/** All that a node of the registry says about itself, however deep. */
function* saysOf(node: unknown): Iterable<string> {
  if (node === null || typeof node !== 'object') return
  for (const [key, value] of Object.entries(node))
    if (['description', 'not_for'].includes(key) && typeof value === 'string') yield value
    else yield* saysOf(value)
}

describe('the page in German', () => {
  it('has words for every kind, parameter and tool of the contract', () => {
    expect(missing(saysOf(registry()))).toEqual([])
  })

  it('has words for every problem of a file, and for what mends it', () => {
    expect(files.length).toBeGreaterThan(200)
    const problems = files.flatMap(text => parse(text).problems)
    expect(missing(problems.flatMap(({ message, fix }) => (fix ? [message, fix.title] : [message])))).toEqual(
      [],
    )
  })

  it('has words for every sentence in the sources of the contract', () => {
    const said = [...textsIn('contract').values()].flat().filter(isSentence)
    expect(said.length).toBeGreaterThan(300)
    const left = said.filter(text => !IN_PIECES.includes(text) && !translate(text))
    expect(left).toEqual([])
  })
})
