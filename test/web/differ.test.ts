import { expect, test } from 'vitest'
import { differ, nearby } from '../../src/web/page/differ.ts'
import { rowsOf } from '../../src/web/page/sides.ts'

const signs = { same: ' ', gone: '-', new: '+', skip: '…' }
const shown = (lines: ReturnType<typeof differ>) => lines.map(({ is, text }) => signs[is] + text).join('|')

test.each([
  ['a b c', 'a x c', ' a|-b|+x| c'],
  ['a b', 'a b', ' a| b'],
  ['a', 'a b', ' a|+b'],
  ['a a b', 'a b', ' a|-a| b'],
  ['a b c d', 'b c x d', '-a| b| c|+x| d'],
])('%s → %s', (before, after, lines) => {
  const [a, b] = [before, after].map(text => text.replaceAll(' ', '\n'))
  expect(shown(differ(a ?? '', b ?? ''))).toBe(lines)
})

test('what is far from every change is counted, not shown', () => {
  const lines = Array.from({ length: 20 }, (_, i) => String(i))
  const after = lines.with(10, 'x')
  const changed = differ(lines.join('\n'), after.join('\n'))
  expect(shown(nearby(changed))).toBe('…7| 7| 8| 9|-10|+x| 11| 12| 13|…6')
})

test('two large files with nothing in common take no time worth naming', () => {
  const many = (word: string) => Array.from({ length: 30_000 }, (_, i) => word + i).join('\n')
  const began = performance.now()
  expect(differ(many('a'), many('b'))).toHaveLength(60_000)
  expect(performance.now() - began).toBeLessThan(1000)
})

test('side by side, what is gone stands beside what came in its place', () => {
  const rows = rowsOf(differ('a\nb\nc', 'a\nx\ny\nc'))
  expect(rows.map(({ is, left, right }) => [is, left, right])).toEqual([
    ['same', 'a', 'a'],
    ['differs', 'b', 'x'],
    ['differs', null, 'y'],
    ['same', 'c', 'c'],
  ])
})
