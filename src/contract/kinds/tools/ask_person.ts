import { Type } from '@sinclair/typebox'
import { tool } from '../../kind.ts'
import { closed } from '../params.ts'
import { named } from './arguments.ts'

export const askPerson = tool({
  kind: 'ask_person',
  effect: 'ask_person',
  description: 'Asks a person of the site one question and waits for the answer.',
  notFor: 'Not for what another tool can find out. Not to have something opened or switched.',
  params: closed({
    question: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'One short question in plain words. Not an order.',
    }),
    replies: Type.Array(Type.String({ minLength: 1, maxLength: 40 }), {
      minItems: 2,
      maxItems: 4,
      description: 'The answers to choose from, such as "Yes", "No". Not sentences.',
    }),
    role: named(
      'role',
      'Who is asked, by role. Left out: everybody who may answer. Not the name of a person.',
    ),
  }),
})
