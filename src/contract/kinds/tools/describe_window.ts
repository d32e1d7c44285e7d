import { tool } from '../../kind.ts'
import { closed } from '../params.ts'
import { cameraArgument, wholeNumber } from './arguments.ts'

export const describeWindow = tool({
  kind: 'describe_window',
  effect: 'read',
  description: 'Says what the kept pictures of a camera show over the last minutes, oldest first.',
  notFor: 'Not for this moment: use describe_camera. Minutes without an event have no picture.',
  params: closed({
    camera: cameraArgument,
    minutes: wholeNumber(1, 120, 'How far back, in minutes. Not a clock time. Left out: 15.'),
  }),
})
