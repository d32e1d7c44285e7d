import type { ListensFor } from '../../../src/engine/index.ts'

/** A picture is 1000 by 1000 pixels; the zone is its right half. */
export const SITE = `
cameras:
  yard-1: { roles: [yard], zones: { lawn: [[0.5, 0], [1, 0], [1, 1], [0.5, 1]] } }
  yard-2: { roles: [yard] }
  gate: { roles: [gate] }
`

export const listens = (params: ListensFor['params'] = {}): ListensFor => ({
  workflow: { id: 1, slug: 'w', name: 'W' },
  kind: 'detect.person_in_zone',
  params: { cameras: ['yard'], min_seconds: 5, ...params },
  looks_back: [],
})

/** A thing whose feet are at `x`, half way down. */
export const thing = (id: string | number, x: number, more: object = {}) => ({
  id,
  label: 'person',
  score: 0.9,
  box: [x - 50, 300, x + 50, 500],
  stationary: false,
  best: false,
  matched: true,
  misses: 0,
  since_match_s: 0,
  ...more,
})

export const IN = 700
export const OUT = 200

/** A message of the detector, at a time in ms. */
export const message = (at: number, tracks: object[], more: object = {}) => ({
  schema: 'opennvr.tier0.v1',
  adapter: 'tier0',
  camera_id: 'yard-1',
  seq: Math.round(at / 200),
  ts: 1234.5,
  wall_ts: at / 1000,
  frame: { w: 1000, h: 1000 },
  calibrating: false,
  tracks,
  ...more,
})
