import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differing, merged } from '../../src/web/page/site/merge.ts'

describe('what two people change at once', () => {
  it.each([
    ['different names', { a: 1, b: 1 }, { a: 2, b: 1 }, { a: 1, b: 1, c: 3 }, { a: 2, b: 1, c: 3 }],
    ['one takes off, one adds', { a: 1 }, {}, { a: 1, b: 2 }, { b: 2 }],
    ['the same in the same way', { a: 1 }, { a: 2 }, { a: 2 }, { a: 2 }],
    ['the same differently', { a: 1 }, { a: 2 }, { a: 3 }, null],
    ['one takes off what the other changes', { a: 1 }, {}, { a: 2 }, null],
    ['a name of every object', {}, { toString: 1 }, {}, { toString: 1 }],
  ])('is one where they change %s', (_, base, mine, theirs, both) => {
    expect(merged<number>(base, mine, theirs)).toEqual(both)
  })

  it('loses nothing of either, whoever was first', () => {
    const names = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.integer({ min: 0, max: 2 }))
    const plain = (of: Record<string, number>) => Object.fromEntries(Object.entries(of))
    fc.assert(
      fc.property(names, names, names, (base, mine, theirs) => {
        const both = merged(base, mine, theirs)
        expect(both && plain(both)).toEqual(merged(base, theirs, mine))
        if (!both) return
        for (const name of ['a', 'b', 'c', 'd']) {
          const changedBy = [mine, theirs].filter(of => of[name] !== base[name])
          expect(both[name]).toBe((changedBy[0] ?? base)[name])
        }
      }),
    )
  })

  it('is shown by what differs alone', () => {
    const line = (name: string, value: number) => `${name} ${value}`
    expect(differing({ a: 1, b: 1 }, { a: 1, b: 2, c: 3 }, line)).toEqual(['b 1', 'b 2\nc 3'])
    expect(differing({ a: 1 }, {}, line)).toEqual(['a 1', ''])
  })
})
