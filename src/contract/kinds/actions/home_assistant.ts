import { type Static, Type } from '@sinclair/typebox'
import { action } from '../../kind.ts'
import type { SiteView } from '../../types.ts'
import { list } from '../given.ts'
import { closed, jsonMap, text } from '../params.ts'

/** Services of these domains inform or light up; every other one may unlock, arm or switch something. */
const INFORMING = new Set([
  'light',
  'notify',
  'persistent_notification',
  'tts',
  'media_player',
  'camera',
  'logbook',
  'todo',
])

/** Keys with which `data` could name further entities than `target` does. */
const TARGETING = ['entity_id', 'device_id', 'area_id', 'floor_id', 'label_id']

const entity = text('An entity id.', 255)
const entities = Type.Union([entity, Type.Array(entity, { minItems: 1, maxItems: 64 })], {
  expects: 'an entity id or a list of them',
})

const params = closed({
  service: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,63}\\.[a-z0-9_]{1,64}$',
    expects: 'a service such as light.turn_on',
    description: 'The service that is called.',
  }),
  target: Type.Optional(
    Type.Union([entities, closed({ entity_id: entities })], {
      expects: 'an entity id, a list of them or { entity_id: … }',
      description: 'What it is called for.',
    }),
  ),
  data: Type.Optional(jsonMap('What the service is given besides; texts in it may hold placeholders.')),
})

type Params = Static<typeof params>

const targets = (it: Params): string[] => {
  const target = it.target
  if (typeof target === 'object' && !Array.isArray(target)) return list<string>(target.entity_id)
  return list<string>(target)
}

/** An admin marked this very service for each of these very entities, and nothing else can be meant. */
const marked = (it: Params, site?: SiteView) => {
  const entities = targets(it)
  return (
    entities.length > 0 &&
    entities.every(one => site?.informingServices.has(`${it.service} ${one}`) === true) &&
    !Object.keys(it.data ?? {}).some(key => TARGETING.includes(key.normalize('NFKC').toLowerCase()))
  )
}

export const homeAssistant = action({
  kind: 'home_assistant',
  description: 'Calls a service of Home Assistant.',
  params,
  effect: (it, site) => (INFORMING.has(it.service.split('.')[0] ?? '') || marked(it, site) ? 'tell' : 'move'),
  templated: ['target', 'data'],
  needs: () => ({ skills: ['home_assistant'] }),
})
