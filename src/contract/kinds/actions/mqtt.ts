import { Type } from '@sinclair/typebox'
import { action } from '../../kind.ts'
import { closed, json } from '../params.ts'
import { destination, destinationEffect } from './destination.ts'

export const mqtt = action({
  kind: 'mqtt',
  description: 'Publishes to an MQTT destination that an admin listed.',
  params: closed({ to: destination, json: Type.Optional(json('What is published.')) }),
  effect: (it, site, declared) => destinationEffect(it.to, site, declared),
  templated: ['json'],
  needs: it => ({ destinations: [it.to], sort: 'topic' }),
})
