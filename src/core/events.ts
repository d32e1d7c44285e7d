import type { Picture } from './picture.ts'

/** A JSON value, as it comes from outside. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue }

/** Who caused an event, where the box knows it. */
export interface Identified {
  /** How they were identified: `session`, `token`, `loopback` … */
  by: string
  name: string
}

/**
 * Something that happened, on its one way from `connect/` or `web/` to admission. `kind` is a trigger kind of
 * the contract, as plain text: this floor knows no contract.
 */
export interface IncomingEvent {
  kind: string
  /** The source's own id, or one minted on arrival; an id seen before is ignored. */
  id: string
  /** When it was observed (epoch ms); late ones start no run. */
  at: number
  cameraId: string | null
  /** `plate.recognized.v1` for domain events, else null. */
  schema: string | null
  /** Producer of a domain event, or `<kind>.<name>` of an alert's source. */
  source: string | null
  severity: string | null
  payload: Readonly<Record<string, JsonValue>>
  correlationId: string | null
  /** Slugs of the workflows that led here, oldest first. */
  chain: readonly string[]
  by: Identified | null
  /** Addressed to one workflow (button, webhook): its row id; else null. */
  workflowId: number | null
  pictures: readonly Picture[]
}
