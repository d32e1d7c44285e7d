/** Models that owners may bring: none of them ships. */
import { type Static, Type } from '@sinclair/typebox'

const strict = { additionalProperties: false }

/** Boxes as people know them: an old office PC, an N100 mini PC, a Raspberry Pi 5, a PC, one with a graphics card. */
const BoxClass = Type.Union(
  ['old-pc-4gb', 'n100-8gb', 'rpi5-8gb', 'pc-16gb', 'gpu-8gb'].map(name => Type.Literal(name)),
)

const KnownFile = Type.Object(
  {
    /** Its name where it is installed. */
    path: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,119}\\.gguf$' }),
    url: Type.String({ pattern: '^https://[a-z0-9.-]+/[A-Za-z0-9._/-]+$' }),
    bytes: Type.Optional(Type.Integer({ minimum: 1 })),
    sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  },
  strict,
)

export const KnownModel = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]*$' }),
    /** `language`: texts → texts, in this box's own process. `see`: pictures, too, behind a server beside it. */
    task: Type.Union([Type.Literal('language'), Type.Literal('see')]),
    description: Type.String(),
    licence: Type.String(),
    source: Type.String(),
    /** What it takes with 8,192 tokens of conversation, about, MB. */
    ram_mb: Type.Integer({ minimum: 1 }),
    boxes: Type.Array(BoxClass, { minItems: 1 }),
    /** Its hashes are not known to us: what arrives is taken as it comes, and said to be unknown. */
    unverified: Type.Optional(Type.Literal(true)),
    /** Role of the file → the file. */
    files: Type.Record(Type.String(), KnownFile),
  },
  strict,
)

export type KnownModel = Static<typeof KnownModel>
export type KnownFile = Static<typeof KnownFile>

/** What no schema sees: why the list cannot be used, or null. */
export function wrongWith(known: readonly KnownModel[]): string | null {
  for (const { name, unverified, files } of known) {
    const unknown = Object.values(files).find(({ sha256 }) => sha256 === undefined)
    if (unknown && !unverified)
      return `${name}: ${unknown.path} has no sha256: give it, or say unverified: true`
  }
  const paths = known.flatMap(({ files }) => Object.values(files).map(({ path }) => path.toLowerCase()))
  const twice = paths.find((path, i) => paths.indexOf(path) !== i)
  return twice === undefined ? null : `the file ${twice} is listed twice`
}
