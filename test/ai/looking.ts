/** A gate with a van before it, and eyes that say so. */
import type { DecisionSpec, LookInput, LookTools } from '../../src/ai/index.ts'
import type { Picture } from '../../src/core/index.ts'
import type { Seen } from '../../src/vision/index.ts'
import type { Scripted } from './scripted.ts'

export const NOW = 1_800_000_000_000
export const picture = (source = 'camera gate'): Picture => ({
  bytes: new Uint8Array([1]),
  takenAt: NOW,
  source,
})
export const seen: Seen = {
  width: 100,
  height: 100,
  detections: [{ label: 'truck', score: 0.9, box: [0, 0, 50, 50] }],
  below: {},
  lines: [{ text: 'DHL', confidence: 0.9, quad: [0, 0, 10, 0, 10, 10, 0, 10] }],
  cut: false,
  ms: { decode: 1, detect: 2, read: 3 },
  models: { detector: 'nanodet', reader: 'ppocr' },
}

export interface Eyes {
  want: unknown[]
  shrunk: number[]
  tools: LookTools
}

export function eyes(
  language: Scripted | null,
  over: Partial<LookTools> = {},
  fails: (it: Picture) => Error | null = () => null,
): Eyes {
  const want: unknown[] = []
  const shrunk: number[] = []
  const throwing = (it: Picture) => {
    const error = fails(it)
    if (error) throw error
  }
  const tools: LookTools = {
    vision: {
      see: async (it, what) => {
        want.push(what)
        throwing(it)
        return seen
      },
      shrink: async (it, side) => {
        shrunk.push(side)
        throwing(it)
        return { ...it, bytes: new Uint8Array([9]) }
      },
    },
    measure: () => ({ value: 1, confidence: 0.8 }),
    now: () => NOW,
    timeoutMs: 1000,
    language,
    selfReport: false,
    ...over,
  }
  return { want, shrunk, tools }
}

export const gate: DecisionSpec = {
  options: ['delivery', 'visitor'],
  prompt: 'What does {plate} want?',
  fields: { company: { ask: ['dhl', 'none'] } },
  floor: 0.7,
  rules: null,
  maxAgeMs: 30_000,
}
export const ruled: DecisionSpec = {
  ...gate,
  fields: {
    vehicles: { measure: 'count', of: 'vehicle' },
    company: { ask: ['dhl', 'none'] },
    note: { ask: 'text' },
  },
  rules: [
    { when: { vehicles: { at_most: 0 } }, then: 'visitor' },
    { when: { company: 'dhl' }, then: 'delivery' },
    { then: 'visitor' },
  ],
}
export const input = (over: Partial<LookInput> = {}): LookInput => ({
  pictures: [picture()],
  values: { plate: 'AB 12' },
  facts: 'A farm.',
  text: null,
  ...over,
})
export const good = { company: 'dhl', reason: 'letters on the van', decision: 'delivery' }
export const fields = { company: 'dhl', note: '', reason: 'yellow van' }
