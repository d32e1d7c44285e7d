import { Type } from '@sinclair/typebox'
import { tool } from '../../kind.ts'
import { closed } from '../params.ts'

export const siteLookup = tool({
  kind: 'site_lookup',
  effect: 'read',
  description:
    'Says which lists of the site a plate or name stands in, and whether it is a person of the site.',
  notFor: 'Not to search by a part or by a description: only the very same plate or name is found.',
  params: closed({
    value: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The whole plate or name. Not a question, not the name of a list.',
    }),
  }),
})
