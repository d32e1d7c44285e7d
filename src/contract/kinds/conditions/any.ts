import { condition } from '../../kind.ts'
import { nestedConditions } from '../params.ts'

export const any = condition({
  kind: 'any',
  description: 'At least one of the conditions holds.',
  params: nestedConditions,
})
