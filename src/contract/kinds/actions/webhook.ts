import { Type } from '@sinclair/typebox'
import { action } from '../../kind.ts'
import { closed, json, oneOf } from '../params.ts'
import { destination, destinationEffect } from './destination.ts'

export const webhook = action({
  kind: 'webhook',
  description: 'Sends a request to a destination that an admin listed.',
  params: closed({
    to: destination,
    method: Type.Optional(oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'POST where absent.')),
    json: Type.Optional(json('What is sent.')),
  }),
  effect: (it, site, declared) => destinationEffect(it.to, site, declared),
  templated: ['json'],
  needs: it => ({ destinations: [it.to] }),
})
