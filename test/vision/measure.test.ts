import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Calibration,
  type Detection,
  measure,
  type Seen,
  type TextLine,
} from '../../src/vision/index.ts'

const calibration: Calibration = {
  present: [
    { from: 0.4, right: 0.7, cases: 3 },
    { from: 0.6, right: 0.95, cases: 9 },
  ],
  text: [{ from: 0.5, right: 0.6, cases: 9 }],
  no_text: 0.9,
}

const thing = (label: string, score: number, box: Detection['box'] = [10, 10, 50, 90]): Detection => ({
  label,
  score,
  box,
})
const line = (text: string, confidence = 0.9, x = 10, y = 10): TextLine => ({
  text,
  confidence,
  quad: [x, y, x + 40, y, x + 40, y + 10, x, y + 10],
})
const seen = (detections: Detection[], more: Partial<Seen> = {}): Seen => ({
  width: 200,
  height: 100,
  detections,
  below: {},
  lines: null,
  cut: false,
  ms: { decode: 0, detect: 0, read: 0 },
  models: { detector: 'd', reader: null },
  ...more,
})

describe('presence', () => {
  it('is as sure as the best box was right on labelled cases', () => {
    const what = seen([thing('car', 0.65), thing('truck', 0.45, [100, 10, 150, 90])])
    expect(measure({ measure: 'present', of: 'vehicle' }, what, calibration)).toEqual({
      value: true,
      confidence: 0.95,
    })
    expect(measure({ measure: 'present', of: 'truck' }, what, calibration)).toEqual({
      value: true,
      confidence: 0.7,
    })
  })

  it('is no surer than a coin where nothing was measured', () => {
    expect(measure({ measure: 'present' }, seen([thing('person', 0.9)]), {}).confidence).toBe(0.5)
  })

  it('absence is as sure as the best hint is faint', () => {
    const what = seen([], { below: { bus: 0.3, car: 0.1, dog: 0.39 } })
    const { value, confidence } = measure({ measure: 'present', of: 'vehicle' }, what, calibration)
    expect(value).toBe(false)
    expect(confidence).toBeCloseTo(0.7)
    expect(measure({ measure: 'present', of: 'person' }, what, calibration).confidence).toBeCloseTo(0.95)
  })

  it('a detection under the asked score is a hint against absence', () => {
    const what = seen([thing('person', 0.55)])
    const { value, confidence } = measure(
      { measure: 'present', of: 'person', min_score: 0.6 },
      what,
      calibration,
    )
    expect(value).toBe(false)
    expect(confidence).toBeCloseTo(0.45)
  })

  it('knows the groups, single labels, and labels of two words', () => {
    const what = seen([thing('zebra', 0.8), thing('stop sign', 0.7)])
    const is = (of: string) => measure({ measure: 'present', of }, what, calibration).value
    expect([is('animal'), is('zebra'), is('stop sign'), is('stop_sign'), is('dog'), is('vehicle')]).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ])
    expect(is('constructor')).toBe(false)
  })
})

describe('counting', () => {
  it('counts one thing under two labels once, and two that stand apart twice', () => {
    const what = seen([
      thing('car', 0.7),
      thing('truck', 0.6, [11, 10, 51, 90]),
      thing('bus', 0.5, [100, 10, 190, 90]),
    ])
    expect(measure({ measure: 'count', of: 'vehicle' }, what, calibration).value).toBe(2)
    expect(measure({ measure: 'count', of: 'person' }, what, calibration).value).toBe(0)
  })

  it('leaves out what does not stand in the region', () => {
    const left: [number, number][] = [
      [0, 0],
      [0.5, 0],
      [0.5, 1],
      [0, 1],
    ]
    const what = seen([thing('person', 0.8), thing('person', 0.7, [120, 10, 180, 100])])
    expect(measure({ measure: 'count', of: 'person', region: left }, what, calibration).value).toBe(1)
    const upper: [number, number][] = [
      [0, 0],
      [1, 0],
      [1, 0.5],
      [0, 0.5],
    ]
    // Both reach up there, but stand below.
    expect(measure({ measure: 'count', of: 'person', region: upper }, what, calibration).value).toBe(0)
  })

  it('a thing cut off by the lower edge stands in a region that reaches to it', () => {
    const all: [number, number][] = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]
    const what = seen([thing('person', 0.8, [10, 10, 50, 100])])
    expect(measure({ measure: 'count', of: 'person', region: all }, what, calibration).value).toBe(1)
  })
})

describe('text and plates', () => {
  it('joins the lines', () => {
    const what = seen([], { lines: [line('DHL EXPRESS'), line('call us', 0.7)] })
    expect(measure({ measure: 'text' }, what, calibration)).toEqual({
      value: 'DHL EXPRESS call us',
      confidence: 0.6,
    })
    expect(measure({ measure: 'text', min_score: 0.8 }, what, calibration).value).toBe('DHL EXPRESS')
  })

  it('what was cut short is not sure at all, whatever was read by then', () => {
    const what = seen([], { lines: [line('B-AB 123', 0.99)], cut: true })
    expect(measure({ measure: 'text' }, what, calibration)).toEqual({ value: 'B-AB 123', confidence: 0 })
    expect(measure({ measure: 'plate' }, what, calibration)).toEqual({ value: 'BAB123', confidence: 0 })
    const none = seen([thing('person', 0.65)], { lines: [], cut: true })
    expect(measure({ measure: 'plate' }, none, calibration)).toEqual({ value: '', confidence: 0 })
    expect(measure({ measure: 'text' }, none, calibration)).toEqual({ value: '', confidence: 0 })
    expect(measure({ measure: 'present' }, none, calibration).confidence).toBe(0.95)
  })

  it('nothing read is as sure as that was right; nothing asked is not sure at all', () => {
    expect(measure({ measure: 'text' }, seen([], { lines: [] }), calibration)).toEqual({
      value: '',
      confidence: 0.9,
    })
    expect(measure({ measure: 'plate' }, seen([], { lines: [] }), calibration)).toEqual({
      value: '',
      confidence: 0.9,
    })
    expect(measure({ measure: 'text' }, seen([]), calibration)).toEqual({ value: '', confidence: 0 })
  })

  it.each([
    ['GH 26 KLM', 'GH26KLM'],
    ['b·ab-1234', 'BAB1234'],
    ['GH26KLM · 24', 'GH26KLM24'],
    ['NO PARKING', ''],
    ['DHL', ''],
    ['A1', ''],
    ['0800 123 456 789', ''],
    ['КАМАЗ 12', ''],
  ])('%s as a plate', (text, plate) => {
    expect(measure({ measure: 'plate' }, seen([], { lines: [line(text)] }), calibration).value).toBe(plate)
  })

  it('prefers letters with digits to a surer bare number', () => {
    const what = seen([], { lines: [line('12345', 0.99), line('KA 01 AB 77', 0.8), line('4711', 0.7)] })
    expect(measure({ measure: 'plate' }, what, calibration).value).toBe('KA01AB77')
  })

  it('reads only what stands in the region', () => {
    const what = seen([], { lines: [line('LEFT'), line('RIGHT', 0.9, 150, 50)] })
    const region: [number, number][] = [
      [0.5, 0],
      [1, 0],
      [1, 1],
      [0.5, 1],
    ]
    expect(measure({ measure: 'text', region }, what, calibration).value).toBe('RIGHT')
  })
})

it('whatever was seen, a confidence lies between 0 and 1', () => {
  const label = fc.constantFrom('person', 'car', 'truck', 'dog', '__proto__')
  const unit = fc.double({ min: 0, max: 1, noNaN: true })
  const box = fc
    .tuple(unit, unit, unit, unit)
    .map(([a, b, c, d]): Detection['box'] => [a * 100, b * 50, 100 + c * 100, 50 + d * 50])
  const things = fc.array(fc.record({ label, score: unit, box }))
  const kind = fc.constantFrom('count' as const, 'present' as const, 'text' as const, 'plate' as const)
  fc.assert(
    fc.property(
      things,
      kind,
      label,
      fc.array(fc.string()),
      fc.dictionary(label, unit),
      (detections, kind, of, texts, below) => {
        detections.sort((a, b) => b.score - a.score)
        const what = seen(detections, { below, lines: texts.map(text => line(text)) })
        const { confidence } = measure({ measure: kind, of }, what, calibration)
        expect(confidence).toBeGreaterThanOrEqual(0)
        expect(confidence).toBeLessThanOrEqual(1)
      },
    ),
  )
})
