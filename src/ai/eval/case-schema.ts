/** What a file of cases may hold. One file is one site: its facts and names, and what happens there. */
import { type Static, type TSchema, Type } from '@sinclair/typebox'

const closed = <P extends { [key: string]: TSchema }>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })
const text = (most: number) => Type.String({ minLength: 1, maxLength: most })
const name = Type.String({ pattern: '^[a-z][a-z0-9_-]{0,39}$' })
const names = Type.Array(name, { minItems: 1, maxItems: 12 })
const oneOf = <const V extends string>(...values: V[]) => Type.Union(values.map(each => Type.Literal(each)))
const data = Type.Record(Type.String({ maxLength: 64 }), Type.Unknown())
const value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const share = Type.Number({ minimum: 0, maximum: 1 })

const base = {
  id: Type.String({ pattern: '^[a-z][a-z0-9-]{2,59}$' }),
  /** In one line: what it is there for. */
  why: Type.String({ minLength: 10, maxLength: 200, pattern: '^[^\\n]*$' }),
  /** Seen: prompts may be bettered by it. Held out: only looked at when all is done. */
  split: oneOf('seen', 'held_out'),
  /** What it tries to be taken in by. */
  trap: Type.Optional(name),
}

/** What a model said when this was recorded, turn by turn: texts as they came, or objects as JSON. */
const recorded = Type.Optional(Type.Array(Type.Union([Type.String(), data]), { minItems: 1, maxItems: 12 }))

const fields = Type.Optional(
  Type.Record(
    name,
    Type.Union([
      Type.Array(Type.String({ minLength: 1, maxLength: 40 }), { minItems: 2, maxItems: 12 }),
      oneOf('text', 'long_text', 'number', 'yes_no'),
      closed({
        measure: oneOf('count', 'present', 'text', 'plate'),
        of: Type.Optional(name),
        min_score: Type.Optional(share),
      }),
    ]),
  ),
)
const rules = Type.Optional(
  Type.Array(closed({ when: Type.Optional(data), then: name }), { minItems: 1, maxItems: 12 }),
)
const expected = {
  /** One of the decisions or `unsure`; a list where each of them is right. */
  decision: Type.Union([name, names]),
  /** A value, or a list where each of them is right. Texts are compared without case and accents. */
  fields: Type.Optional(Type.Record(name, Type.Union([value, Type.Array(value, { minItems: 1 })]))),
}

const scene = closed({
  things: Type.Array(
    closed({
      label: Type.String({ minLength: 1, maxLength: 40 }),
      score: share,
      /** Left, top, right, bottom as shares of the picture. */
      box: Type.Optional(Type.Array(share, { minItems: 4, maxItems: 4 })),
    }),
    { maxItems: 20 },
  ),
  text: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 })),
})

const LookCase = closed({
  ...base,
  prompt: text(1_000),
  decision: names,
  fields,
  rules,
  sure: Type.Optional(share),
  /** A sample picture that comes with the program, by its name. */
  picture: Type.Optional(Type.String({ pattern: '^[a-z0-9-]+\\.jpg$' })),
  /** What detector and reader made of pictures, instead of one. */
  scenes: Type.Optional(Type.Array(scene, { minItems: 1, maxItems: 6 })),
  /** How old the picture is, seconds; null: unknown. */
  age: Type.Optional(Type.Union([Type.Number({ minimum: 0 }), Type.Null()])),
  text: Type.Optional(text(8_000)),
  event: Type.Optional(data),
  values: Type.Optional(data),
  expect: closed({ ...expected, because: Type.Optional(name) }),
  recorded,
})

const InvestigateCase = closed({
  ...base,
  goal: text(1_000),
  instructions: Type.Optional(text(1_000)),
  decision: names,
  fields,
  rules,
  sure: Type.Optional(share),
  event: data,
  values: Type.Optional(data),
  /** Earlier decisions, one line each. */
  memory: Type.Optional(Type.Array(text(200), { maxItems: 5 })),
  tools: Type.Array(name, { minItems: 1, maxItems: 5 }),
  /** What each tool said when this was recorded: the first entry that fits the arguments. Without one it fails; `site_lookup` then finds nothing. */
  results: Type.Record(
    name,
    Type.Array(
      Type.Union([
        closed({ when: Type.Optional(data), result: Type.Unknown() }),
        closed({ when: Type.Optional(data), error: text(200) }),
        closed({ when: Type.Optional(data), answer: Type.Union([text(80), Type.Null()]) }),
      ]),
      { minItems: 1, maxItems: 12 },
    ),
  ),
  /** `tools`: those without which nobody could know. */
  expect: closed({ ...expected, tools: Type.Optional(Type.Array(name, { maxItems: 5 })) }),
  recorded,
})

/** What of a drafted workflow is held against the expected one. */
export const FACETS = [
  'trigger',
  'trigger_params',
  'cameras',
  'guards',
  'times',
  'lists',
  'steps',
  'decisions',
  'actions',
  'severity',
  'who',
  'replies',
  'limits',
] as const
const facet = oneOf(...FACETS)

const DraftCase = closed({
  ...base,
  sentence: text(600),
  /** What a good draft has; the first three always count where this is absent. */
  match: Type.Optional(Type.Array(facet, { minItems: 1, maxItems: FACETS.length, uniqueItems: true })),
  /** Kinds that must not be in it. */
  never: Type.Optional(names),
  /** A workflow that does what the sentence says. */
  workflow: text(8_000),
  recorded,
})

const site = Type.Optional(
  closed({
    facts: Type.Optional(Type.String({ maxLength: 4_000 })),
    /** Roles of cameras. */
    cameras: Type.Optional(names),
    lists: Type.Optional(names),
    /** Roles of people. */
    roles: Type.Optional(names),
    destinations: Type.Optional(Type.Record(name, oneOf('read', 'tell', 'move'))),
  }),
)

const file = <S extends string, C extends TSchema>(suite: S, one: C) =>
  closed({
    suite: Type.Literal(suite),
    place: name,
    site,
    cases: Type.Array(one, { minItems: 1, maxItems: 200 }),
  })

export const FILES = {
  look: file('look', LookCase),
  investigate: file('investigate', InvestigateCase),
  draft: file('draft', DraftCase),
}

export type Suite = keyof typeof FILES
export const SUITES = ['look', 'investigate', 'draft'] as const satisfies readonly Suite[]
export type Split = 'seen' | 'held_out'
export type Facet = (typeof FACETS)[number]
type SiteOfCases = NonNullable<Static<typeof site>>

/** Where a case is from. */
interface Placed {
  place: string
  site: SiteOfCases
}

export type LookCase = Static<typeof LookCase> & Placed & { suite: 'look' }
export type InvestigateCase = Static<typeof InvestigateCase> & Placed & { suite: 'investigate' }
export type DraftCase = Static<typeof DraftCase> & Placed & { suite: 'draft' }
export type EvalCase = LookCase | InvestigateCase | DraftCase
