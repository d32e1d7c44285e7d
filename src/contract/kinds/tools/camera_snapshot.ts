import { tool } from '../../kind.ts'
import { closed } from '../params.ts'
import { cameraArgument } from './arguments.ts'

export const cameraSnapshot = tool({
  kind: 'camera_snapshot',
  effect: 'read',
  description: 'Takes a new picture of a camera and keeps it for people to see.',
  notFor: 'Not to learn what it shows, unless you see pictures: use describe_camera for that.',
  params: closed({ camera: cameraArgument }),
})
