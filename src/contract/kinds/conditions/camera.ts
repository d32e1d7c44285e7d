import { condition } from '../../kind.ts'
import { names } from '../params.ts'

export const camera = condition({
  kind: 'camera',
  description: 'The camera of the trigger bears one of these roles.',
  params: names('Camera roles.'),
  needs: it => ({ cameras: it }),
})
