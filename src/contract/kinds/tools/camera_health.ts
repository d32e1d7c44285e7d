import { tool } from '../../kind.ts'
import { closed } from '../params.ts'
import { cameraArgument } from './arguments.ts'

export const cameraHealth = tool({
  kind: 'camera_health',
  effect: 'read',
  description:
    'Says whether a camera works: whether it gives a picture, how old that is, whether it can be reached.',
  notFor: 'Not to learn what the camera shows: use describe_camera.',
  params: closed({ camera: cameraArgument }),
})
