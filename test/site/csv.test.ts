import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCsv, printCsv } from '../../src/site/csv.ts'

const values = (text: string) => parseCsv(text).entries.map(({ value }) => value)

describe('a list as CSV', () => {
  it('is read with or without header, mark of byte order, notes and either end of line', () => {
    expect(values('B-AB 123\nM XY 9')).toEqual(['B-AB 123', 'M XY 9'])
    expect(parseCsv('\ufeffvalue,note\r\nB-AB 123,"Ann, flat 3"\r\n\r\nM XY 9,\r\n').entries).toEqual([
      { value: 'B-AB 123', note: 'Ann, flat 3' },
      { value: 'M XY 9' },
    ])
    expect(parseCsv('value;note\nA;"a ""b"""').entries).toEqual([{ value: 'A', note: 'a "b"' }])
    expect(values('"a\nb"\rc')).toEqual(['a\nb', 'c'])
    expect(values('')).toEqual([])
    // A list of people who have to do with values.
    expect(values('valued guest\n')).toEqual(['valued guest'])
  })

  it('counts what is there twice once', () => {
    expect(parseCsv('a\na \nb')).toEqual({ entries: [{ value: 'a' }, { value: 'b' }], duplicates: 1 })
  })

  it.each([
    ['a,b,c', 'Line 1: there are 3 columns'],
    ['a\n"b', 'Line 2: a quote is opened'],
    ['"a\nb"\n"c"d', 'Line 3: something stands behind'],
    ['a"b', 'Line 1: a quote stands inside'],
    ['\n,note', 'Line 2: there is a note without an entry'],
    [`a\n${'x'.repeat(501)}`, 'Line 2: a text is longer'],
    ['a\nB\u202eAB', 'Line 2: a text holds a control character'],
    ['a\u0007', 'Line 1: a text holds a control character'],
    [Array.from({ length: 10_001 }, (_, i) => i).join('\n'), 'Line 10001: a list has at most 10000'],
  ])('that is none is refused with its line', (text, message) => {
    expect(() => parseCsv(text)).toThrow(message)
  })

  it('holds no formula for a spreadsheet', () => {
    const printed = printCsv([{ value: '=cmd()', note: '@sum' }, { value: '+49 30 1' }, { value: "'-1" }])
    expect(printed).toBe("\ufeffvalue,note\r\n'=cmd(),'@sum\r\n'+49 30 1,\r\n''-1,\r\n")
  })

  it('comes back as it went', () => {
    const text = fc
      .string({
        unit: fc.constantFrom("'", '=', '-', '"', ',', ';', '\n', '\r', ' ', 'a', 'é', '😀', '＝'),
        maxLength: 9,
      })
      .map(each => each.trim().normalize('NFC'))
    const entry = fc.record({ value: text.filter(each => each !== ''), note: text })
    fc.assert(
      fc.property(fc.uniqueArray(entry, { selector: ({ value }) => value, maxLength: 9 }), entries => {
        const list = entries.map(({ value, note }) => (note ? { value, note } : { value }))
        const printed = printCsv(list)
        expect(parseCsv(printed).entries).toEqual(list)
        for (const { value } of entries) {
          const cell = printCsv([{ value }]).slice('\ufeffvalue\r\n'.length)
          expect(cell).not.toMatch(/^"?[=+\-@＝\r\n]/)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('of any text is a list or a refusal', () => {
    const text = fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', 'a', 'value', ';', '\ufeff') })
    fc.assert(
      fc.property(text, any => {
        try {
          expect(parseCsv(any).entries.every(({ value }) => value !== '')).toBe(true)
        } catch (error) {
          expect(error).toMatchObject({ code: 'csv_invalid' })
        }
      }),
      { numRuns: 500 },
    )
  })
})
