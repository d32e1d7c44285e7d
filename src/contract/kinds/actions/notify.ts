import { Type } from '@sinclair/typebox'
import { action } from '../../kind.ts'
import { list } from '../given.ts'
import { attach, closed, severity, text, who } from '../params.ts'
import { whoNeeds } from '../who.ts'

export const notify = action({
  kind: 'notify',
  description: 'Sends people a message.',
  params: closed({
    who,
    message: text('The message; it may hold placeholders.', 1000),
    severity: Type.Optional(severity),
    attach: Type.Optional(attach),
  }),
  effect: () => 'tell',
  templated: ['who', 'message'],
  needs: it => ({ ...whoNeeds(list<string>(it.who)), skills: ['notify'] }),
})
