import { cut, type JsonValue } from '../../../core/index.ts'
import type { WorkflowView } from '../../../engine/index.ts'
import type { Decided } from '../decisions.ts'
import { type Entity, MOST_STATE } from '../entity.ts'

/** Names that Home Assistant has for something else. */
const TAKEN = new Set([
  'assumed_state',
  'attribution',
  'available',
  'device_class',
  'device_info',
  'entity_category',
  'entity_id',
  'entity_picture',
  'extra_state_attributes',
  'force_update',
  'friendly_name',
  'icon',
  'name',
  'should_poll',
  'state',
  'supported_features',
  'unique_id',
  'unit_of_measurement',
])
const MOST_FIELDS = 50
const MOST_TEXT = 500

/** The last decision of a workflow that is On, with what it was based on. */
export function workflowDecision({ id, name }: WorkflowView, last: Decided | null): Entity {
  return {
    key: `workflow_${id}_decision`,
    platform: 'sensor',
    name: `${name} decision`,
    icon: 'mdi:head-question-outline',
    state: last === null ? null : cut(last.decision, MOST_STATE),
    attributes: last === null ? {} : attributesOf(last),
  }
}

function attributesOf({ fields, reason, confidence, camera, run, at }: Decided): {
  [key: string]: JsonValue
} {
  const shown = Object.entries(fields)
    .slice(0, MOST_FIELDS)
    .map(([field, value]) => [TAKEN.has(field) ? `${field}_` : field, small(value)])
  return {
    ...Object.fromEntries(shown),
    ...{ reason: reason === null ? null : cut(reason, MOST_TEXT), confidence, camera, run, at },
  }
}

/** Home Assistant keeps no long attributes. */
function small(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cut(value, MOST_TEXT)
  if (value === null || typeof value !== 'object') return value
  const text = JSON.stringify(value)
  return text.length > MOST_TEXT ? cut(text, MOST_TEXT) : value
}
