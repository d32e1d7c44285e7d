/** What the two saving actions share. */
import { Type } from '@sinclair/typebox'
import { camera, closed, duration } from '../params.ts'

export const recording = closed({
  camera: Type.Optional(camera("The camera role; the trigger's where absent.")),
  before: Type.Optional(duration('How long before the event it begins.')),
  after: Type.Optional(duration('How long after the event it ends.')),
})
