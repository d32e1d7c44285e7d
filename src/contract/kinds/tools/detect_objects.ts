import { tool } from '../../kind.ts'
import { closed, oneOf } from '../params.ts'
import { cameraArgument } from './arguments.ts'

export const detectObjects = tool({
  kind: 'detect_objects',
  effect: 'read',
  description: 'Counts one sort of thing on a camera now.',
  notFor: 'Not to read text or to learn what somebody does: use describe_camera.',
  params: closed({
    camera: cameraArgument,
    of: oneOf(['person', 'vehicle', 'animal'], 'What is counted. Not a name or a colour.'),
  }),
})
