import { action } from '../../kind.ts'
import { text } from '../params.ts'

export const log = action({
  kind: 'log',
  description: 'Writes a line into the run.',
  params: text('The line; it may hold placeholders.', 1000),
  effect: () => 'read',
  templated: [''],
})
