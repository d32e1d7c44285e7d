import { condition } from '../../kind.ts'
import { nestedCondition } from '../params.ts'

export const not = condition({
  kind: 'not',
  description: 'The condition does not hold.',
  params: nestedCondition,
})
