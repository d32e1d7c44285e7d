import { Type } from '@sinclair/typebox'
import { step } from '../../kind.ts'
import { list, unclean } from '../given.ts'
import { attach, closed, duration, text, who } from '../params.ts'
import { whoNeeds } from '../who.ts'
import { checkDistinct } from './distinct.ts'
import { options } from './fields.ts'

export const askPerson = step({
  kind: 'ask_person',
  description: 'Asks people and goes the way that the first answer says.',
  params: closed({
    who,
    message: text('The question; it may hold placeholders.', 1000),
    replies: options('What can be answered.', 'a list of replies'),
    timeout: duration('How long an answer is waited for.'),
    default: Type.Optional(text('The reply that counts when nobody answers.', 64)),
    attach: Type.Optional(attach),
  }),
  templated: ['who', 'message'],
  gives: () => ({
    answer: unclean('text', 'The reply.'),
    answered_by: unclean('text', 'Who replied; empty when nobody did.'),
  }),
  paths: it => ({ place: 'beside', required: [], optional: [...it.replies, 'no_answer'] }),
  needs: it => ({ ...whoNeeds(list<string>(it.who)), skills: ['notify'] }),
  check: (it, found) => {
    checkDistinct('replies', it.replies, found, 'reply')
    if (it.default !== undefined && !it.replies.includes(it.default)) {
      found({
        at: ['default'],
        code: 'unknown_default',
        message: `The default must be one of the replies: ${it.replies.join(', ')}.`,
      })
    }
  },
})
