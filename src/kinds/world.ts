import type { Effect } from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'
import type { CallCame, CallRequest } from './voice.ts'

/** Somebody whom not every box has, and who is there or not as the site file says. */
export interface Provider {
  /** Why they cannot be asked here, for people, as the rest of a sentence; null: they can. */
  readonly lacks: string | null
}

/** The site's MQTT broker. */
export interface Broker extends Provider {
  /**
   * Publishes to a listed destination; resolves once the broker has taken it. Rejects with `GatehouseError`
   * (`destination_unknown`, `destination_unreachable`: nothing has left the box; `destination_unanswered`).
   */
  publish(message: {
    /** Name of the destination in the site file: never a topic. */
    to: string
    json: JsonValue
    /** The same over all tries. */
    deliveryId: string
    correlationId: string
    /** What this very use does, as the engine decided. */
    effect: Effect
    signal: AbortSignal
  }): Promise<void>
}

/** Who calls people: by telephone, intercom or loudspeaker. */
export interface Voice extends Provider {
  /**
   * Places a call, once, and resolves with what came of it. Rejects where it could not be placed or broke off. The
   * signal: hang up, nobody listens any more.
   */
  place(request: CallRequest, signal: AbortSignal): Promise<CallCame>
}

/** The apps of the site's NVR. */
export interface Apps extends Provider {
  /**
   * Has an app do one of its actions, once; resolves with what it answers. Rejects with `GatehouseError`
   * (`bad_request`, `not_possible`, `destination_unreachable`, `destination_refused`: nothing has come of it;
   * `destination_unanswered`).
   */
  act(request: {
    id: string
    action: string
    params: { [name: string]: JsonValue }
    /** The same over all tries. */
    deliveryId: string
    correlationId: string
    signal: AbortSignal
  }): Promise<JsonValue>
}

/** The site's Home Assistant. */
export interface Home extends Provider {
  /**
   * Calls a service, once; what changed meanwhile, as far as it says so. Rejects with `GatehouseError`
   * (`bad_request`, `destination_unreachable`, `destination_refused`: nothing has come of it; `destination_unanswered`).
   */
  call(request: {
    /** `lock.unlock` */
    service: string
    data: { [key: string]: JsonValue }
    /** The same over all tries. */
    deliveryId: string
    correlationId: string
    signal: AbortSignal
  }): Promise<{ changed: { entity_id: string; state: string }[] }>
  /** The state of an entity once it has come to rest, or null where there is none of that name. */
  state(entityId: string, options: { signal: AbortSignal }): Promise<string | null>
}

/** Whoever turns the site's cameras. */
export interface Turner extends Provider {
  /**
   * Turns a camera to one of its presets, by its name. Rejects with `GatehouseError`: `camera_unanswered` (it was asked,
   * and nobody knows whether it does), or any other (it does not).
   */
  turn(order: {
    cameraId: string
    preset: string
    /** The same over all tries. */
    deliveryId: string
    signal: AbortSignal
  }): Promise<void>
}

/** What was recorded of a camera: a file that whoever keeps it takes away. */
export interface Clip {
  file: string
  type: 'video/mp4'
  /** For people: `camera gate`. */
  source: string
  /** When it begins (epoch ms), and how long it is. */
  takenAt: number
  ms: number
  /** Why it is shorter than it was to be, in one line; null: it is not. */
  cut: string | null
}

/** Whoever records the streams of the site's cameras. */
export interface Recorder extends Provider {
  /**
   * Records what a camera streams from now on. Rejects with `GatehouseError` (`camera_unknown`, `camera_offline`,
   * `disk_low`, `busy`).
   */
  clip(order: {
    cameraId: string
    ms: number
    /** The same over all tries. */
    deliveryId: string
    signal: AbortSignal
  }): Promise<Clip>
}

/** Everybody outside this box whom kinds ask besides cameras and listed addresses. Absent: nobody supplies them. */
export interface World {
  readonly broker?: Broker
  readonly apps?: Apps
  readonly home?: Home
  readonly turner?: Turner
  readonly recorder?: Recorder
  /** Who tells what detectors follow. */
  readonly tracks?: Provider
  readonly voice?: Voice
  /**
   * Who counts as there without being asked: where events are handed in, whoever would bring them; where nothing leaves
   * the box, everybody.
   */
  readonly assumed?: 'triggers' | 'all'
}

interface Need {
  /** Who has to be there. */
  by: Exclude<keyof World, 'assumed'>
  /** What is said where nobody supplies them. */
  without: string
}

/** Kinds that need somebody of the world; the others are always there, or never: see `missing`. */
const provided: Readonly<Record<'triggers' | 'steps' | 'actions', Readonly<Record<string, Need>>>> = {
  triggers: {
    'detect.person_in_zone': {
      by: 'tracks',
      without: 'nobody tells this box what the cameras see',
    },
  },
  steps: {
    call: { by: 'voice', without: 'there is no voice channel yet' },
  },
  actions: {
    app: { by: 'apps', without: 'there is no NVR: name one under nvr in the site file' },
    save_clip: { by: 'recorder', without: 'no camera can be recorded from here' },
    ptz_preset: { by: 'turner', without: 'no camera can be turned from here' },
    mqtt: { by: 'broker', without: 'there is no MQTT broker: name one under mqtt in the site file' },
    home_assistant: {
      by: 'home',
      without: 'there is no Home Assistant: name it under home_assistant in the site file',
    },
  },
}

/** Why a kind cannot be carried out here for want of somebody, or null. */
export function wanting(group: keyof typeof provided, kind: string, world: World): string | null {
  const need = Object.hasOwn(provided[group], kind) ? provided[group][kind] : undefined
  if (!need || world.assumed === 'all' || world.assumed === group) return null
  const provider = world[need.by]
  return provider ? provider.lacks : need.without
}
