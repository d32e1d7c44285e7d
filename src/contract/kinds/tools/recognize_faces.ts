import { tool } from '../../kind.ts'
import { closed } from '../params.ts'
import { cameraArgument } from './arguments.ts'

export const recognizeFaces = tool({
  kind: 'recognize_faces',
  effect: 'read',
  description: 'Compares faces on a camera now with the people who agreed to it.',
  notFor: 'Not to find out who a stranger is: it knows nobody who did not agree.',
  params: closed({ camera: cameraArgument }),
})
