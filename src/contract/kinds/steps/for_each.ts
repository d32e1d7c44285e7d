import { Type } from '@sinclair/typebox'
import { step } from '../../kind.ts'
import { clean, unclean } from '../given.ts'
import { closed, duration, name, names } from '../params.ts'
import { RESERVED_NAMES } from '../reserved.ts'

const sources = ['cameras', 'list', 'events'] as const

export const forEach = step({
  kind: 'for_each',
  description: 'Runs steps once for each camera, list entry or recent event.',
  params: closed({
    cameras: Type.Optional(names('Camera roles, one after the other.')),
    list: Type.Optional(name('A list of the site, entry by entry.')),
    events: Type.Optional(
      closed(
        {
          schema: Type.String({
            pattern: '^[a-z_]+\\.[a-z_]+\\.v[0-9]+$',
            maxLength: 128,
            expects: 'an event schema such as plate.recognized.v1',
          }),
          within: duration('How far back.'),
        },
        'Recent events of a schema.',
      ),
    ),
    as: Type.Optional(name('What the present one is called; item where absent.')),
    max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        expects: 'a whole number from 1 to 100',
        description: 'The most rounds; 20 where absent.',
      }),
    ),
    collect: Type.Optional(name('A value that gathers the reasons and fields of all rounds as one text.')),
  }),
  gives: it => (it.collect ? { [it.collect]: unclean('text', 'What the rounds found, one line each.') } : {}),
  givesInside: it => ({
    [it.as ?? 'item']: it.events
      ? unclean('text', 'The present event.')
      : clean('text', it.cameras ? 'The present camera role.' : 'The present entry of the list.'),
  }),
  paths: () => ({ place: 'inside', required: ['do'], optional: [] }),
  needs: it => ({ cameras: it.cameras ?? [], lists: it.list ? [it.list] : [] }),
  check: (it, found) => {
    for (const key of ['as', 'collect'] as const) {
      const given = it[key]
      if (given === undefined || (key === 'as' && given === 'item') || !RESERVED_NAMES.has(given)) continue
      found({
        at: [key],
        code: 'reserved_name',
        message: `${given} means something else already: choose another name.`,
      })
    }
    if (sources.filter(source => it[source] !== undefined).length !== 1) {
      found({
        at: [],
        code: 'for_each_one_source',
        message: 'for_each goes over exactly one of cameras, list and events.',
      })
    }
  },
})
