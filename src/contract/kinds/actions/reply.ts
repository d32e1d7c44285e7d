import { action } from '../../kind.ts'
import { text } from '../params.ts'

export const reply = action({
  kind: 'reply',
  description: 'Answers the message that started the run.',
  params: text('The answer; it may hold placeholders.'),
  effect: () => 'tell',
  templated: [''],
})
