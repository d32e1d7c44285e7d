import { step } from '../../kind.ts'
import { nestedConditions } from '../params.ts'

export const ifStep = step({
  kind: 'if',
  description: 'Goes one way when all conditions hold, else the other.',
  params: nestedConditions,
  gives: () => ({}),
  paths: () => ({ place: 'beside', required: ['then'], optional: ['else'] }),
})
