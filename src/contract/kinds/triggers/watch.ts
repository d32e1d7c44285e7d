import { Type } from '@sinclair/typebox'
import { trigger } from '../../kind.ts'
import { cameraValues, unclean } from '../given.ts'
import { closed, duration, names, text } from '../params.ts'

export const watch = trigger({
  kind: 'watch',
  description: 'A question that is asked of a camera again and again is answered with yes.',
  params: closed({
    cameras: names('Camera roles.'),
    question: text('A question that yes or no answers.', 1000),
    every: duration('How often it is asked.'),
    confirmations: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        expects: 'a whole number from 1 to 20',
        description: 'How many times in a row the answer must be yes; once where absent.',
      }),
    ),
  }),
  gives: () => ({
    ...cameraValues(),
    answer: unclean('text', 'The answer.'),
    reason: unclean('text', 'Why, in one line.'),
    confirmations: unclean('number', 'How many times in a row the answer was yes.'),
  }),
  tainted: () => true,
  authority: () => false,
  needs: it => ({ cameras: it.cameras, skills: ['watch'] }),
})
