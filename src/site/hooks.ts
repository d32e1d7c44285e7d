/** Who may use the webhooks of workflows, in the site file under `hooks:`. */
import { type Static, Type } from '@sinclair/typebox'
import { isRange } from './egress.ts'

/** Beside knowing its address. */
export interface HookRule {
  /** What whoever calls signs with; null: they need not. */
  secret: { secret: string } | null
  /** Addresses and ranges from where it may be called; null: from anywhere. */
  from: readonly string[] | null
}

export const HooksSchema = Type.Record(
  Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,79}$' }),
  Type.Object(
    {
      secret: Type.Optional(
        Type.Object(
          { secret: Type.String({ pattern: '^[a-z][a-z0-9_-]{0,63}$', expects: 'the name of a secret' }) },
          { additionalProperties: false, expects: '{ secret: <name> }' },
        ),
      ),
      from: Type.Optional(
        Type.Array(
          Type.String({
            minLength: 2,
            maxLength: 60,
            expects: 'an address or range, such as 192.168.1.0/24',
          }),
          { minItems: 1, maxItems: 64, expects: 'a list such as [192.168.1.0/24]' },
        ),
      ),
    },
    { additionalProperties: false, expects: 'a webhook: secret, from' },
  ),
  { additionalProperties: false, expects: 'webhooks by the slug of their workflow, as its page shows it' },
)

type Report = (pointer: string, code: string, message: string) => void

/** What the file says of webhooks; `report` hears what no schema sees. */
export function hooksOf(
  data: Static<typeof HooksSchema> | undefined,
  report: Report,
): ReadonlyMap<string, HookRule> {
  return new Map(
    Object.entries(data ?? {}).map(([slug, { secret = null, from = null }]) => {
      for (const [at, range] of (from ?? []).entries())
        if (!isRange(range))
          report(
            `/hooks/${slug}/from/${at}`,
            'wrong_value',
            `hooks.${slug}.from: ${range} is no address or range, such as 192.168.1.20 or 192.168.1.0/24.`,
          )
      return [slug, { secret, from }]
    }),
  )
}
