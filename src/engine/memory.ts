import { walk } from '../contract/index.ts'
import type { IncomingEvent, JsonValue } from '../core/index.ts'
import type { Store } from '../store/index.ts'
import { eventKey } from './admit.ts'
import type { Program } from './program.ts'
import type { Workflows } from './workflows.ts'

/** A payload longer than this, as JSON, is kept without what is long or nested in it. */
const LONGEST = 4_096
const LONGEST_FIELD = 300
const MOST_FIELDS = 32
/** Payloads kept of one schema: no loop goes over more than a hundred. Beyond these a loop does not count what it skips. */
const MOST_OF_SCHEMA = 1_000
/** How often that is held. */
const THIN_EVERY = 50

/** Every schema. */
const ALL = '*'
/** What a detector sees on each single picture: kept only for whoever names it. */
const PICTURES = 'detection.observed.v1'

/** Schemas of events that loops of a program go over, or that its investigations look for. */
const looped = new WeakMap<Program, ReadonlySet<string>>()

/** The payload of an event that some workflow may go over or look for later; null where none does. */
export function payloadToKeep(event: IncomingEvent, workflows: Workflows): JsonValue {
  const { schema } = event
  if (schema === null || event.workflowId !== null) return null
  for (const { row, program } of workflows.all()) {
    if (row.state === 'off' || !program) continue
    const schemas = schemasOf(program)
    if (schemas.has(schema) || (schemas.has(ALL) && schema !== PICTURES)) return bounded(event.payload)
  }
  return null
}

/** Keeps events that started no run and that may be gone over later. A run keeps its own. */
export class Memory {
  readonly #store: Store
  #kept = 0

  constructor(store: Store) {
    this.#store = store
  }

  async keep(event: IncomingEvent, payload: JsonValue): Promise<void> {
    const { kind, schema, cameraId, at } = event
    const thin = schema !== null && ++this.#kept % THIN_EVERY === 0
    await this.#store.write(() => {
      this.#store.events.remember({ eventId: eventKey(event), kind, schema, cameraId, at, payload })
      if (thin) this.#store.events.thin(schema, MOST_OF_SCHEMA)
    })
  }
}

/** Schemas of the events that a program may go over or look for later; `*`: all. */
export function schemasOf(program: Program): ReadonlySet<string> {
  const known = looped.get(program)
  if (known) return known
  const schemas = new Set<string>()
  walk(program.workflow, ({ step }) => {
    const { events } = (step.kind === 'for_each' ? step.params : {}) as { events?: { schema: string } }
    if (events) schemas.add(events.schema)
    const { tools = [] } = (step.kind === 'ai' ? step.params : {}) as { tools?: string[] }
    if (tools.includes('recent_plates')) schemas.add('plate.recognized.v1')
    if (tools.includes('recent_events')) schemas.add(ALL)
  })
  looped.set(program, schemas)
  return schemas
}

function bounded(payload: IncomingEvent['payload']): JsonValue {
  if (JSON.stringify(payload).length <= LONGEST) return { ...payload }
  const short = Object.entries(payload).flatMap(([name, value]): [string, JsonValue][] => {
    if (typeof value === 'string') return [[name, value.slice(0, LONGEST_FIELD).toWellFormed()]]
    return value === null || typeof value !== 'object' ? [[name, value]] : []
  })
  return Object.fromEntries(short.slice(0, MOST_FIELDS))
}
