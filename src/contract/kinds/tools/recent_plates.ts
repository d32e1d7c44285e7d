import { Type } from '@sinclair/typebox'
import { tool } from '../../kind.ts'
import { closed } from '../params.ts'
import { named, wholeNumber } from './arguments.ts'

export const recentPlates = tool({
  kind: 'recent_plates',
  effect: 'read',
  description: 'Lists the licence plates that were read lately, or when one plate was read.',
  notFor: 'Not to learn whose plate it is or whether it may come in: use site_lookup.',
  params: closed({
    plate: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 20,
        description: 'One plate, as it was read. Not a part of it. Left out: all plates.',
      }),
    ),
    camera: named('camera', 'Only of this camera. Left out: of all cameras. Not a place or a plate.'),
    minutes: wholeNumber(1, 10_080, 'How far back, in minutes. Not a clock time. Left out: 60.'),
  }),
})
