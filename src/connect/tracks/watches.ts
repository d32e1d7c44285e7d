import type { ListensFor } from '../../engine/index.ts'
import { labelsSought } from '../../kinds/index.ts'
import type { Site } from '../../site/index.ts'

/** The trigger that is watched for. */
export const IN_ZONE = 'detect.person_in_zone'

/** What is looked out for on one camera: workflows that ask the same share it. */
export interface Watch {
  /** As the workflows' files ask it; an event says it back to them. */
  asked: { zone: string | null; min_seconds: number; stationary: boolean }
  /** A zone that was drawn anew is another. */
  key: string
  /** Relative polygon; null: the whole view. */
  polygon: readonly (readonly [number, number])[] | null
  labels: Set<string>
}

export interface Watches {
  byCamera: ReadonlyMap<string, readonly Watch[]>
  /** Zones that a workflow names and that are not drawn on every camera which it watches, each in one line. */
  undrawn: readonly string[]
}

/** What workflows want to be told of what detectors follow, camera by camera. */
export function watchesOf(
  listens: readonly ListensFor[],
  site: Pick<Site, 'camerasWithRole' | 'zone'>,
): Watches {
  const byCamera = new Map<string, Map<string, Watch>>()
  const undrawn = new Set<string>()
  for (const { kind, params } of listens) {
    if (kind !== IN_ZONE) continue
    const zone = typeof params.zone === 'string' ? params.zone : null
    const asked = { zone, min_seconds: Number(params.min_seconds), stationary: params.stationary === true }
    const roles = Array.isArray(params.cameras) ? params.cameras.map(String) : []
    for (const camera of new Set(roles.flatMap(role => site.camerasWithRole(role)))) {
      const polygon = zone === null ? null : site.zone(camera, zone)
      if (zone !== null && !polygon) {
        undrawn.add(
          `camera ${camera} has no zone ${zone}: draw it under zones of the camera in the site file.`,
        )
        continue
      }
      const watches = byCamera.get(camera) ?? new Map<string, Watch>()
      byCamera.set(camera, watches)
      const key = JSON.stringify([asked, polygon])
      const watch = watches.get(key) ?? { asked, key, polygon, labels: new Set<string>() }
      watches.set(key, watch)
      for (const label of labelsSought(params.labels)) watch.labels.add(label)
    }
  }
  return {
    byCamera: new Map([...byCamera].map(([camera, watches]) => [camera, [...watches.values()]])),
    undrawn: [...undrawn],
  }
}
