import { Type } from '@sinclair/typebox'
import { tool } from '../../kind.ts'
import { closed } from '../params.ts'
import { cameraArgument, wholeNumber } from './arguments.ts'

export const recentEvents = tool({
  kind: 'recent_events',
  effect: 'read',
  description: 'Lists what cameras and sensors reported lately, the newest first.',
  notFor: 'Not for what was decided then: use search_history. Not for plates: use recent_plates.',
  params: closed({
    camera: cameraArgument,
    all_cameras: Type.Optional(
      Type.Boolean({ description: 'true: of the whole site. Then leave camera out.' }),
    ),
    minutes: wholeNumber(1, 1440, 'How far back, in minutes. Not a clock time. Left out: 60.'),
  }),
})
