import { Type } from '@sinclair/typebox'
import { action } from '../../kind.ts'
import { closed, name, text } from '../params.ts'

export const siteMode = action({
  kind: 'site_mode',
  description: 'Sets the mode of the site: it arms or disarms.',
  params: closed({
    to: name('The mode, such as armed_away.'),
    reason: Type.Optional(text('Why, as the NVR records it; it may hold placeholders.', 200)),
  }),
  effect: () => 'move',
  templated: ['reason'],
  needs: () => ({ skills: ['site_mode'] }),
})
