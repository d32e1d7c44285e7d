import { expect, test } from 'vitest'
import { scrubber } from '../../../src/box/care/scrub.ts'
import { workflowSkeleton } from '../../../src/box/care/skeletons.ts'

const clean = scrubber({
  secrets: ['abcd', 'cdEFgh', 's/ec*ret'],
  people: ['Jo', 'Jo Ann', 'Şule İnce'],
  entries: ['GH 12', 'Herr Nachbar'],
})

test.each([
  ['xABCDEFGHx', 'x(secret)x'],
  ['a s/EC*RET b', 'a (secret) b'],
  ['Jo ann and Join, jo', '(person) and Join, (person)'],
  ['ŞULE İNCE', '(person)'],
  ['herr nachbar, Gh 12', '(entry), (entry)'],
  ['𝐀Jo Jo𝐀', '𝐀Jo Jo𝐀'],
  ['nothing of it', 'nothing of it'],
])('%j becomes %j', (text, expected) => expect(clean(text)).toBe(expected))

test('full lists hold nobody up', () => {
  const entries = Array.from({ length: 64 * 10_000 }, (_, i) => `HH AB ${i}`)
  const full = scrubber({ secrets: [], people: [], entries })
  const text = `${'the gate at HH was seen by HH AB and HH AB 12 '.repeat(4_000)}HH AB 639999`
  const began = performance.now()
  const said = full(text)
  // A step of the engine waits for it; one pattern for each entry takes minutes.
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(said).not.toContain('AB 12')
  expect(said).toMatch(/\(entry\)$/)
})

test('of a workflow stays neither what it waits for nor what it sends along to open something', () => {
  const said = workflowSkeleton(`
when: { event: { schema: x.v1, where: { plate_text: MUELLER } } }
then:
  - webhook: { to: chat, json: { text: hello, api_key: k-99, token: t-99 } }
`)
  expect(said).not.toMatch(/MUELLER|k-99|t-99/)
  expect(said).toContain('plate_text')
  expect(said).toContain('hello')
})
