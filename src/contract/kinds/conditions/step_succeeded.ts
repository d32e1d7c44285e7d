import { condition } from '../../kind.ts'
import { name } from '../params.ts'

export const stepSucceeded = condition({
  kind: 'step_succeeded',
  description: 'An earlier step ran and did not fail; unsure is not success.',
  params: name('The name of the step.'),
})
