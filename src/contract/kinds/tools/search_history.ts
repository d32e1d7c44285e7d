import { Type } from '@sinclair/typebox'
import { tool } from '../../kind.ts'
import { closed } from '../params.ts'
import { named, wholeNumber } from './arguments.ts'

export const searchHistory = tool({
  kind: 'search_history',
  effect: 'read',
  description: 'Lists what was decided here before, and whether people said that it was right.',
  notFor: 'Not for what happened, only for what was decided about it: use recent_events for the rest.',
  params: closed({
    camera: named('camera', 'Only of this camera. Left out: of all cameras. Not a place.'),
    word: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 40,
        description: 'A word or plate that the decision or its reason holds. Not a question.',
      }),
    ),
    days: wholeNumber(1, 30, 'How far back, in days. Not a date. Left out: 7.'),
  }),
})
