import { condition } from '../../kind.ts'
import { names } from '../params.ts'

export const siteMode = condition({
  kind: 'site_mode',
  description: 'The site is in one of these modes.',
  params: names('Modes such as armed_away.'),
})
