import { Type } from '@sinclair/typebox'
import { tool } from '../../kind.ts'
import { closed } from '../params.ts'
import { cameraArgument } from './arguments.ts'

export const searchFootage = tool({
  kind: 'search_footage',
  effect: 'read',
  description: 'Searches recordings for what they show.',
  notFor: 'Not for this moment: use describe_camera. Not for earlier decisions: use search_history.',
  params: closed({
    what: Type.String({
      minLength: 1,
      maxLength: 80,
      description: 'What is to be seen, in a few words. Not a question.',
    }),
    camera: cameraArgument,
  }),
})
