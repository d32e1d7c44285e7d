import { describe, expect, it } from 'vitest'
import { Bus, noLog } from '../../src/core/index.ts'
import { describe as say } from '../../src/web/page/picture.ts'
import { withRun } from '../../src/web/page/state.ts'
import { clock, confidence, gist, label, took, value } from '../../src/web/page/words.ts'
import { MemoryEngine, workflowView } from './box.ts'

describe('words of the page', () => {
  it('tell times in the zone of the site, on both nights of the clock', () => {
    const zone = 'Europe/Berlin'
    const now = new Date('2026-10-25T12:00:00Z')
    expect(clock('2026-10-25T00:30:00Z', zone, now)).toBe('02:30:00')
    expect(clock('2026-10-25T01:30:00Z', zone, now)).toBe('02:30:00')
    expect(clock('2026-10-24T21:59:59Z', zone, now)).toBe('24 Oct, 23:59:59')
    expect(clock('2026-10-24T22:00:00Z', zone, now)).toBe('00:00:00')
    expect(clock('2025-10-25T10:00:00Z', zone, now)).toBe('25 Oct, 12:00:00')
  })

  it('never say more than is known', () => {
    expect(confidence({ confidence: null, confidence_source: null })).toBe('Not measured')
    expect(confidence({ confidence: 0.999, confidence_source: 'measured' })).toMatch(/^99 % sure, measured/)
    const look = {
      fields: {
        persons: { measure: 'count', of: 'person' },
        vehicles: { measure: 'count', of: 'vehicle' },
        text: { measure: 'text' },
      },
      rules: [
        { when: { persons: { at_least: 1 } }, then: 'a' },
        { when: { vehicles: { at_least: 1 } }, then: 'b' },
      ],
    }
    const sure = (rule: number | null, fields: Record<string, number>, inputs: object = look) =>
      confidence({ confidence: 0.97, confidence_source: 'measured', rule, fields, inputs: inputs as never })
    expect(sure(0, { persons: 7 })).toBe('97 % sure that somebody is there, measured in the picture')
    expect(sure(0, { persons: 0 })).toMatch(/^97 % sure that nobody is there/)
    expect(sure(1, { persons: 0, vehicles: 2 })).toMatch(/^97 % sure of what is there, not of how many,/)
    expect(sure(0, { text: 1 }, { ...look, rules: [{ when: { text: 'x' } }] })).toMatch(
      /^97 % sure, measured/,
    )
    expect([null, true, false, '', 0, 'x'].map(value)).toEqual(['not known', 'yes', 'no', 'none', '0', 'x'])
  })

  it('find the line that matters', () => {
    expect(gist('gate: {x}')).toBe('gate: {x}')
    expect(gist({ who: 'role:guard', message: 'Hello', severity: 'low' })).toBe('Hello')
    expect(gist({ a: 1 })).toBeNull()
    expect(gist(null)).toBeNull()
  })

  it('are short', () => {
    expect([0, 12, 2400, 61_000].map(took)).toEqual(['< 1 ms', '12 ms', '2.4 s', '1 min'])
    expect(label('needs_attention')).toBe('Needs attention')
  })

  it('say what is in a picture, each thing once', () => {
    const seen = (detections: [string, [number, number, number, number]][], texts: string[]) => ({
      width: 100,
      height: 100,
      detections: detections.map(([name, box]) => ({ label: name, score: 0.5, box })),
      below: {},
      lines: texts.map(text => ({ text, confidence: 1, quad: [0, 0, 1, 0, 1, 1, 0, 1] as never })),
      cut: false,
      ms: { decode: 0, detect: 0, read: 0 },
      models: { detector: null, reader: null },
    })
    expect(say(null)).toBe('Nothing was looked for in this picture.')
    expect(say(seen([], []))).toBe('Nothing was found in this picture.')
    const van: [number, number, number, number] = [10, 10, 90, 90]
    expect(
      say(
        seen(
          [
            ['truck', van],
            ['bus', [12, 10, 90, 88]],
            ['person', [0, 0, 9, 40]],
            ['person', [1, 0, 9, 40]],
          ],
          ['DHL'],
        ),
      ),
    ).toBe('Seen: 1 truck or bus, 2 × person · text “DHL”')
  })

  it('keep runs in order, each once', () => {
    const engine = new MemoryEngine(new Bus(noLog))
    for (let i = 0; i < 3; i++) engine.add(workflowView(1))
    const [c, b, a] = engine.runs({ limit: 3 })
    if (!a || !b || !c) throw new Error('three runs')
    expect(withRun(withRun(withRun([], b), c), a).map(({ id }) => id)).toEqual([3, 2, 1])
    expect(withRun([c, b, a], { ...b, status: 'failed' }).map(({ status }) => status)).toEqual([
      'done',
      'failed',
      'done',
    ])
  })
})
