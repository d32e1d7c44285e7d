import type { JsonValue } from './core/index.ts'
import { type Hardware, hardwareJson, type Preset } from './hardware/index.ts'
import type { Inference } from './inference/index.ts'
import { type Catalogue, verify } from './models/index.ts'
import type { Site } from './site/index.ts'
import type { Store } from './store/index.ts'
import { metricsOf } from './store-metrics.ts'
import { version } from './version.ts'
import type { SystemInfo } from './web/index.ts'

export interface SystemParts {
  hardware: Hardware
  preset: Preset
  catalogue: Catalogue
  site: () => Site
  inference: Inference
  store: Store
  /** Cameras that are offline → why. */
  cameraProblems(): ReadonlyMap<string, string>
  ready(): boolean
  /** Why the site file as it stands is not in force, or null. */
  siteProblem(): string | null
  /** Pictures that arrived and became no event. */
  picturesShed(): number
}

/** What the box says about itself on the page. */
export function systemInfo(parts: SystemParts): SystemInfo {
  const { hardware, preset, catalogue, site, inference, store, ready, picturesShed } = parts
  return {
    hardware: async () => hardwareJson(hardware, preset),
    models: async () => {
      const checks = await verify(catalogue)
      return catalogue.models.map(({ name, task, description, licence, source, calibration }) => ({
        ...{ name, task, description, licence, source },
        calibrated_on: calibration.pictures,
        files: checks.filter(check => check.model === name).map(({ path, state }) => ({ path, state })),
      }))
    },
    health: () => {
      const { state, restarts, pending } = inference.status()
      const problems = parts.cameraProblems()
      const details: Record<string, JsonValue> = {
        inference: { state, restarts, pending },
        site_problem: parts.siteProblem(),
        cameras: site().cameras.map(({ id, name, roles }) => ({
          id,
          name,
          roles: [...roles],
          problem: problems.get(id) ?? null,
        })),
      }
      return { ready: ready(), details, shed: { pictures: picturesShed() } }
    },
    metrics: () => metricsOf(store, inference),
    timeZone: () => site().timeZone,
    version,
  }
}
