import { type Static, Type } from '@sinclair/typebox'
import { trigger } from '../../kind.ts'
import type { SiteView } from '../../types.ts'
import { cameraValues, list } from '../given.ts'
import { closed, names, severity } from '../params.ts'

const source = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,63}(\\.[a-z][a-z0-9_-]{0,63})?$',
  expects: "an app's slug or workflow.<slug>",
})

const params = closed({
  source: Type.Optional(
    Type.Union([source, Type.Array(source, { minItems: 1, maxItems: 64 })], {
      expects: "an app's slug, workflow.<slug> or a list of them",
      description: 'Whose alerts: an app or another workflow; everyone where absent.',
    }),
  ),
  severity: Type.Optional(
    Type.Array(severity, {
      minItems: 1,
      maxItems: 4,
      expects: 'a list out of low, medium, high, critical',
      description: 'How grave the alert must be; any where absent.',
    }),
  ),
  cameras: Type.Optional(names('Camera roles; any camera where absent.')),
})

/** Alerts come out of AI unless every source named here was listed as plain by an admin. */
const plain = (it: Static<typeof params>, site?: SiteView) => {
  const sources = list<string>(it.source)
  return sources.length > 0 && sources.every(one => site?.plainAlertSources.has(one) === true)
}

export const alert = trigger({
  kind: 'alert',
  description: 'An app or another workflow raised an alert.',
  params,
  gives: (it, site) => {
    const clean = plain(it, site)
    return {
      ...cameraValues(),
      title: { type: 'text', clean, description: "The alert's title." },
      description: { type: 'text', clean, description: "The alert's longer text." },
      severity: { type: 'text', clean, description: 'low, medium, high or critical.' },
      source: { type: 'text', clean, description: 'The app or workflow that raised it.' },
      alert_id: { type: 'text', clean, description: "The alert's own id." },
    }
  },
  tainted: (it, site) => !plain(it, site),
  authority: () => false,
  needs: it => ({ cameras: it.cameras ?? [], sources: list<string>(it.source) }),
})
