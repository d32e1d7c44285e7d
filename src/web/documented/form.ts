import type { JsonValue } from '../../core/index.ts'

/** What is said of a route beside its line in the table. */
export interface Said {
  /** Codes with which it refuses, by status, beside those that follow from its line in the table. */
  refuses?: Readonly<Record<number, readonly string[]>>
  /** A status beside that of success under which it answers in the same form. */
  also?: number
  /** A media type in which it answers piece by piece where that is asked for. */
  streams?: string
  /** What one may ask of it, by a name for it: tests ask just that of a real box. */
  examples: Readonly<Record<string, Example>>
}

export interface Example {
  /** What stands in the path, by the names of the table. */
  path?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string>>
  /** As JSON; a text is sent as the route's own media type. */
  body?: JsonValue
}

/** By method and path, as `GET /health`. */
export type Document = Readonly<Record<string, Said>>
