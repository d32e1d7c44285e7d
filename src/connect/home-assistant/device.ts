import { cut, type JsonValue } from '../../core/index.ts'
import type { Line } from '../mqtt/connection.ts'
import type { Entity, Platform } from './entity.ts'

const MOST_NAME = 150

/** Topics of one box. */
export interface Topics {
  /** Where Home Assistant finds the box. */
  config: string
  /** `online` or `offline`. */
  status: string
  /** All commands. */
  commands: string
  of(key: string): { state: string; attributes: string; set: string; image: string }
}

export function topicsOf({ base, setting }: Pick<Line, 'base' | 'setting'>, boxId: string): Topics {
  return {
    config: `${setting.discoveryPrefix}/device/${deviceId(boxId)}/config`,
    status: `${base}/status`,
    commands: `${base}/+/set`,
    of: key => ({
      state: `${base}/${key}/state`,
      attributes: `${base}/${key}/attributes`,
      set: `${base}/${key}/set`,
      image: `${base}/${key}/image`,
    }),
  }
}

/** By the box's own id: two boxes on one broker never meet. */
export function deviceId(boxId: string): string {
  return `gatehouse_${boxId.replaceAll(/[^A-Za-z0-9_-]/g, '_')}`
}

/**
 * The box as Home Assistant reads it, in one message. `gone`: entities that were there before; only their platform is
 * said of them, and Home Assistant takes them away.
 */
export function devicePayload(
  { boxId, name, page, version }: { boxId: string; name: string; page: string | null; version: string },
  entities: readonly Entity[],
  gone: ReadonlyMap<string, Platform>,
  topics: Topics,
): string {
  const id = deviceId(boxId)
  return JSON.stringify({
    dev: {
      ...{ ids: [id], name, mf: 'Gatehouse', mdl: 'Gatehouse', sw: version },
      ...(page !== null && { cu: page }),
    },
    o: { name: 'Gatehouse', sw: version },
    availability: [{ topic: topics.status, payload_available: 'online', payload_not_available: 'offline' }],
    qos: 1,
    cmps: {
      ...Object.fromEntries([...gone].map(([key, platform]) => [key, { p: platform }])),
      ...Object.fromEntries(entities.map(entity => [entity.key, componentOf(entity, id, topics)])),
    },
  })
}

function componentOf(entity: Entity, id: string, topics: Topics): { [key: string]: JsonValue } {
  const { key, platform, name, icon, category, config = {}, state, attributes, command } = entity
  const { state: stateTopic, attributes: attributesTopic, set, image } = topics.of(key)
  return {
    p: platform,
    unique_id: `${id}_${key}`,
    name: cut(name, MOST_NAME),
    ...(icon !== undefined && { icon }),
    ...(category !== undefined && { entity_category: category }),
    ...((state !== undefined || platform === 'event') && { state_topic: stateTopic }),
    ...(platform === 'image' && { image_topic: image }),
    ...(attributes !== undefined && { json_attributes_topic: attributesTopic }),
    ...(command && { command_topic: set }),
    ...config,
  }
}
