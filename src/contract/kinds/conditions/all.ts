import { condition } from '../../kind.ts'
import { nestedConditions } from '../params.ts'

export const all = condition({
  kind: 'all',
  description: 'All of the conditions hold.',
  params: nestedConditions,
})
