import { condition } from '../../kind.ts'
import { duration } from '../params.ts'

export const elapsed = condition({
  kind: 'elapsed',
  description: 'So much time has gone by since the step began.',
  params: duration('How long.'),
})
