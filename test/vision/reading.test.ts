/** The arithmetic of reading text: rectangles, order, characters. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readingOrder } from '../../src/vision/worker/read.ts'
import { decode } from '../../src/vision/worker/recognise.ts'
import { cornersOf, type Rectangle, smallestRectangle } from '../../src/vision/worker/rectangle.ts'

describe('the smallest rectangle', () => {
  it('around the corners of a rectangle is that rectangle, at any angle', () => {
    const side = fc.double({ min: 5, max: 400, noNaN: true })
    const angle = fc.double({ min: -Math.PI / 4 + 0.01, max: Math.PI / 4 - 0.01, noNaN: true })
    const middle = fc.double({ min: -500, max: 500, noNaN: true })
    fc.assert(
      fc.property(middle, middle, side, side, angle, (x, y, width, height, turn) => {
        const wanted: Rectangle = { x, y, width, height, angle: turn }
        const found = smallestRectangle([...cornersOf(wanted), [x, y]])
        for (const key of ['x', 'y', 'width', 'height', 'angle'] as const) {
          expect(found[key]).toBeCloseTo(wanted[key], 4)
        }
      }),
    )
  })

  it('starts at the top left', () => {
    const [first, second, third] = cornersOf({ x: 10, y: 5, width: 20, height: 10, angle: 0 })
    expect([first, second, third]).toEqual([
      [0, 0],
      [20, 0],
      [20, 10],
    ])
  })

  it('of one point, and of none, is empty', () => {
    expect(smallestRectangle([[3, 4]])).toMatchObject({ width: 0, height: 0 })
    expect(smallestRectangle([])).toMatchObject({ width: 0, height: 0 })
  })
})

describe('reading order', () => {
  const at = (name: string, x: number, y: number, height = 10) => ({
    name,
    where: { x, y, width: 30, height, angle: 0 },
  })

  it('goes row by row, each from the left, though a row is not quite level', () => {
    const lines = [at('d', 90, 41), at('b', 80, 8), at('c', 10, 40), at('a', 10, 11)]
    expect(readingOrder(lines).map(one => one.name)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('keeps a headline apart from small lines beside it', () => {
    const lines = [at('small 2', 100, 32, 8), at('BIG', 20, 20, 40), at('small 1', 100, 12, 8)]
    expect(readingOrder(lines).map(one => one.name)).toEqual(['small 1', 'BIG', 'small 2'])
  })

  it('loses nothing and repeats nothing', () => {
    const one = fc.record({ x: fc.integer(), y: fc.integer(), height: fc.integer({ min: 1, max: 50 }) })
    fc.assert(
      fc.property(fc.array(one), boxes => {
        const lines = boxes.map(({ x, y, height }, i) => at(String(i), x, y, height))
        expect(new Set(readingOrder(lines))).toEqual(new Set(lines))
        expect(readingOrder(lines)).toHaveLength(lines.length)
      }),
    )
  })
})

describe('characters out of scores', () => {
  const keys = ['', 'A', 'B', 'ｃ', '.', ' ']
  const steps = (...rows: Record<string, number>[]) =>
    Float32Array.from(rows.flatMap(row => keys.map(key => row[key] ?? 0)))

  it('drops blanks and repeats, and keeps a letter that comes twice', () => {
    const scores = steps({ A: 0.9 }, { A: 0.8 }, { '': 0.9 }, { A: 0.7 }, { B: 0.6 })
    const { text, confidence } = decode(scores, keys)
    expect(text).toBe('AAB')
    expect(confidence).toBeCloseTo((0.9 + 0.7 + 0.6) / 3)
  })

  it('puts a space where its faint scores add up, and none where they do not', () => {
    const gap = { '': 0.9, ' ': 0.06 }
    expect(decode(steps({ A: 1 }, gap, gap, { B: 1 }), keys).text).toBe('A B')
    expect(decode(steps({ A: 1 }, gap, { B: 1 }), keys).text).toBe('AB')
    expect(decode(steps({ A: 1 }, { ' ': 0.9 }, { B: 1 }), keys).text).toBe('A B')
    expect(decode(steps(gap, gap, { A: 1 }, gap, gap), keys).text).toBe('A')
  })

  it('puts no space before a full stop, and makes wide letters plain', () => {
    const gap = { '': 0.9, ' ': 0.2 }
    expect(decode(steps({ A: 1 }, gap, { '.': 1 }), keys).text).toBe('A.')
    expect(decode(steps({ ｃ: 1 }), keys).text).toBe('c')
  })

  it('reads nothing where nothing is', () => {
    expect(decode(steps({ '': 1 }), keys)).toEqual({ text: '', confidence: 0 })
    expect(decode(new Float32Array(0), keys)).toEqual({ text: '', confidence: 0 })
  })
})
