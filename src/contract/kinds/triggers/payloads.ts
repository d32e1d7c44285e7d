/** What the payload of each known event schema holds, and which of it is clean. */
import type { Given } from '../../kind.ts'
import { unclean } from '../given.ts'

const plate = (clean: boolean): Record<string, Given> => {
  const given: Given = {
    type: 'text',
    clean,
    identity: true,
    description: clean
      ? 'The plate that was read; it guards a move only at the confidence that the site demands.'
      : 'The plate that the decision was about.',
  }
  return { plate: given, plate_text: given }
}

const payloads: Readonly<Record<string, Readonly<Record<string, Given>>>> = {
  'plate.recognized.v1': {
    ...plate(true),
    confidence: unclean('number', 'How sure the reading is, 0 to 1.'),
    vehicle_label: unclean('text', 'What kind of vehicle bears the plate.'),
    event_id: unclean('text', 'The id of the sighting.'),
    plate_box: unclean('list', 'Where the plate is in the picture.'),
    plate_box_confidence: unclean('number', 'How sure the place of the plate is, 0 to 1.'),
    plate_box_image: unclean('list', 'Width and height of the picture.'),
  },
  'access.decided.v1': {
    ...plate(false),
    decision: {
      type: 'text',
      clean: true,
      identity: true,
      description: 'allow or deny, as the access system decided.',
    },
    reason: unclean('text', 'Why the access system decided so.'),
    owner: unclean('text', 'Whose vehicle it is.'),
    unit: unclean('text', 'The unit that the vehicle belongs to.'),
    confidence: unclean('number', 'How sure the reading is, 0 to 1.'),
  },
  'visit.recorded.v1': {
    event_id: unclean('text', 'The id of the visit.'),
    label: unclean('text', 'What visited.'),
    started_at: unclean('text', 'When it came.'),
    ended_at: unclean('text', 'When it left.'),
    evidence_path: unclean('text', 'Where the NVR keeps the evidence.'),
  },
  'occupancy.changed.v1': {
    count: unclean('number', 'How many are there.'),
    level: unclean('text', 'normal, over or under.'),
    max_occupancy: unclean('number', 'The upper bound.'),
    min_occupancy: unclean('number', 'The lower bound.'),
  },
  'detection.observed.v1': {
    frame: unclean('list', 'Width and height of the frame.'),
    calibrating: unclean('yes_no', 'Whether the detector is still settling.'),
    tracks: unclean('list', 'What is being followed.'),
  },
  'alert.fired.v1': {
    alert_id: unclean('text', "The alert's own id."),
    fired_at: unclean('text', 'When it was raised.'),
    title: unclean('text', "The alert's title."),
    description: unclean('text', "The alert's longer text."),
    severity: unclean('text', 'low, medium, high or critical.'),
    source: unclean('text', 'The app or workflow that raised it.'),
    tags: unclean('list', "The alert's tags."),
  },
}

/** The payload of a schema; undefined where the schema is not a known one. */
export const payloadOf = (schema: string): Readonly<Record<string, Given>> | undefined =>
  Object.hasOwn(payloads, schema) ? payloads[schema] : undefined

/** Schemas whose identities may guard a move; what comes by any other is made by AI or of unknown making. */
export const hasCleanIdentity = (schema: string): boolean =>
  Object.values(payloadOf(schema) ?? {}).some(given => given.clean && given.identity)

/** Event schemas that are known by name, with the names of the values that each brings. */
export const eventSchemas = (): { schema: string; values: string[] }[] => [
  ...Object.entries(payloads).map(([schema, values]) => ({ schema, values: Object.keys(values) })),
  { schema: 'picture.arrived.v1', values: [] },
]
