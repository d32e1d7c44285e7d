import { Type } from '@sinclair/typebox'
import { trigger } from '../../kind.ts'
import { unclean } from '../given.ts'
import { closed, text } from '../params.ts'

export const message = trigger({
  kind: 'message',
  description: 'Somebody wrote to the box; a reply step answers.',
  params: closed({ label: Type.Optional(text('What this workflow answers, as the page shows it.', 60)) }),
  gives: () => ({
    message: unclean('text', 'What was written.'),
    from: unclean('text', 'Who wrote.'),
    channel: unclean('text', 'By which channel it came.'),
  }),
  tainted: () => true,
  authority: () => false,
})
