/** What the two saving actions share. */
import { type Static, Type } from '@sinclair/typebox'
import { parseDuration } from '../../duration.ts'
import type { Finding } from '../../kind.ts'
import { camera, closed, duration } from '../params.ts'

const MOST = '10m'

export const recording = closed({
  camera: Type.Optional(camera("The camera role; the trigger's where absent.")),
  before: Type.Optional(duration('How long before the event it begins, where a recorder has that.')),
  after: Type.Optional(duration('How long it goes on; a stream is recorded from when the step begins.')),
})

/** What is recorded takes room and time: ten minutes to each side. */
export function checkRecording(it: Static<typeof recording>, found: (finding: Finding) => void): void {
  for (const side of ['before', 'after'] as const) {
    if ((parseDuration(it[side] ?? '') ?? 0) <= (parseDuration(MOST) ?? 0)) continue
    found({
      at: [side],
      code: 'recording_too_long',
      message: `${side} must be ${MOST} or shorter.`,
      replace: MOST,
    })
  }
}
