/** What the payloads of the schemas that the box knows must hold; whatever else they bring is ignored. */
import { GatehouseError, type JsonValue } from '../../core/index.ts'

type Check = { is: (value: JsonValue) => boolean; words: string }
type Field = Check & { required?: true }

const text: Check = { is: value => typeof value === 'string', words: 'a text' }
/** One that is there and says something. */
const told: Field = {
  is: value => typeof value === 'string' && value.trim() !== '',
  words: 'a text that is not empty',
  required: true,
}
const number: Check = { is: value => typeof value === 'number', words: 'a number' }
const id: Check = { is: value => text.is(value) || number.is(value), words: 'a text' }
const flag: Check = { is: value => typeof value === 'boolean', words: 'true or false' }
const list: Check = { is: value => Array.isArray(value), words: 'a list' }
const map: Check = {
  is: value => typeof value === 'object' && value !== null && !Array.isArray(value),
  words: 'an object',
}
const numbers = (count: number): Check => ({
  is: value => Array.isArray(value) && value.length === count && value.every(number.is),
  words: `a list of ${count} numbers`,
})

const SCHEMAS: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  'plate.recognized.v1': {
    plate_text: told,
    confidence: number,
    vehicle_label: text,
    event_id: id,
    plate_box: numbers(4),
    plate_box_confidence: number,
    plate_box_image: numbers(2),
  },
  'access.decided.v1': {
    plate_text: text,
    decision: told,
    reason: text,
    owner: text,
    unit: id,
    confidence: number,
  },
  'visit.recorded.v1': {
    event_id: id,
    label: text,
    started_at: id,
    ended_at: id,
    evidence_path: text,
  },
  'occupancy.changed.v1': {
    count: { ...number, required: true },
    level: text,
    max_occupancy: number,
    min_occupancy: number,
  },
  'detection.observed.v1': { frame: map, calibrating: flag, tracks: list },
}

/** Throws `bad_event` (422) with everything that a payload of a known schema lacks or says in the wrong form. */
export function checkPayload(schema: string, payload: Readonly<Record<string, JsonValue>>): void {
  const fields = Object.hasOwn(SCHEMAS, schema) ? SCHEMAS[schema] : undefined
  const wrong = Object.entries(fields ?? {}).flatMap(([name, { is, words, required }]) => {
    const value = payload[name]
    if (value === undefined || value === null) return required ? [`\`${name}\` is missing (${words})`] : []
    return is(value) ? [] : [`\`${name}\` must be ${words}`]
  })
  if (wrong.length)
    throw new GatehouseError('bad_event', `The payload of \`${schema}\`: ${wrong.join('; ')}.`, {
      status: 422,
    })
}
