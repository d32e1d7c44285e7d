import { type Static, Type } from '@sinclair/typebox'
import { trigger } from '../../kind.ts'
import type { Json } from '../../types.ts'
import { cameraValues, unclean } from '../given.ts'
import { closed, mapOf, matcher, names } from '../params.ts'
import { hasCleanIdentity, payloadOf } from './payloads.ts'

const params = closed({
  schema: Type.String({
    pattern: '^[a-z_]+\\.[a-z_]+\\.v[0-9]+$',
    maxLength: 128,
    expects: 'an event schema such as plate.recognized.v1',
    description: 'The schema of the event.',
  }),
  cameras: Type.Optional(names('Camera roles; any camera where absent.')),
  where: Type.Optional(
    mapOf<Json>(matcher, 'Payload field → value, list of values or comparison; all must hold.', {
      minProperties: 1,
    }),
  ),
})

const known = (it: Static<typeof params>) => payloadOf(it.schema)

export const event = trigger({
  kind: 'event',
  description: 'A domain event of the site arrived, such as a plate that was read.',
  params,
  gives: it => ({ ...known(it), ...cameraValues() }),
  open: it => (known(it) ? null : unclean('text', `A field of ${it.schema}.`)),
  tainted: it => !hasCleanIdentity(it.schema),
  authority: () => false,
  needs: it => ({ cameras: it.cameras ?? [] }),
  check: (it, found) => {
    const fields = known(it)
    for (const field of fields ? Object.keys(it.where ?? {}) : []) {
      if (!fields || Object.hasOwn(fields, field)) continue
      found({
        severity: 'warning',
        at: ['where', field],
        key: true,
        code: 'unknown_payload_field',
        message: `${it.schema} has no field ${field}: use one of ${Object.keys(fields).join(', ')}.`,
      })
    }
  },
})
