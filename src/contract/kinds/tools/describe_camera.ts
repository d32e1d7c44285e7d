import { tool } from '../../kind.ts'
import { closed } from '../params.ts'
import { cameraArgument } from './arguments.ts'

export const describeCamera = tool({
  kind: 'describe_camera',
  effect: 'read',
  description: 'Says what a camera shows now: people, vehicles, other things and readable text.',
  notFor: 'Not for what happened earlier: use describe_event or describe_window.',
  params: closed({ camera: cameraArgument }),
})
