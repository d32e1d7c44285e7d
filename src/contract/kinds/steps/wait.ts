import { step } from '../../kind.ts'
import { duration } from '../params.ts'

export const wait = step({
  kind: 'wait',
  description: 'Waits for a while.',
  params: duration('How long.'),
  gives: () => ({}),
  paths: () => ({ place: 'beside', required: [], optional: [] }),
})
