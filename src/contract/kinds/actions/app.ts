import { Type } from '@sinclair/typebox'
import { action } from '../../kind.ts'
import { closed, jsonMap, name } from '../params.ts'

export const app = action({
  kind: 'app',
  description: 'Asks an app of the NVR to do one of its actions.',
  params: closed({
    id: name('The id of the app.'),
    action: Type.String({
      pattern: '^[A-Za-z][A-Za-z0-9_.-]{0,63}$',
      expects: 'the name of an action such as open',
      description: 'The action.',
    }),
    params: Type.Optional(jsonMap('What the action is given; texts in it may hold placeholders.')),
  }),
  effect: (it, site) => (site?.apps.get(it.id)?.get(it.action)?.informing ? 'tell' : 'move'),
  templated: ['params'],
  needs: it => ({ apps: [{ id: it.id, action: it.action }] }),
})
