import type { CameraCondition } from '../connect/index.ts'
import { iso, type JsonValue } from '../core/index.ts'
import { type Hardware, hardwareJson, type Measured, type Preset } from '../hardware/index.ts'
import type { Inference } from '../inference/index.ts'
import { type Catalogue, type InstalledModels, verify } from '../models/index.ts'
import type { Site } from '../site/index.ts'
import type { Store } from '../store/index.ts'
import type { SystemInfo } from '../web/index.ts'
import { type CheckupParts, checkup } from './checkup/checkup.ts'
import type { SiteLanguage } from './language.ts'
import type { ModelGates } from './model-gates.ts'
import { metricsOf } from './store-metrics.ts'
import { version } from './version.ts'
import type { WatchedModel } from './watched-model.ts'

export interface SystemParts extends Omit<CheckupParts, 'models'> {
  hardware: Hardware
  preset: Preset
  /** What was last measured of this box. */
  measured(): Measured | null
  catalogue: Catalogue
  installed: InstalledModels
  language: SiteLanguage
  gates: ModelGates
  site: () => Site
  inference: Inference
  store: Store
  cameraConditions(): ReadonlyMap<string, CameraCondition>
  /** Connections that are not well → why. */
  connectionProblems(): Record<string, string>
  /** What is known of the NVR; null: the site has none. */
  nvr(): JsonValue
  /** What connections left out, by connection and reason. */
  connectionsShed(): Record<string, number>
  ready(): boolean
  /** Nobody has told the machine the time since it was switched on. */
  clockUnset(): boolean
  /** Why nothing runs; null: the box is not in safe mode. */
  safe: string | null
  /** Why the site file as it stands is not in force, or null. */
  siteProblem(): string | null
  /** Pictures that arrived and became no event. */
  picturesShed(): number
}

/** What the box says about itself on the page. */
export function systemInfo(parts: SystemParts): SystemInfo {
  const { hardware, preset, site, inference, store, ready, picturesShed } = parts
  return {
    hardware: async () => hardwareJson(hardware, preset, parts.measured()),
    models: () => modelsView(parts),
    checkup: async () => {
      const found = await checkup({ ...parts, models: () => modelsView(parts) })
      return found as unknown as JsonValue
    },
    health: () => {
      const { state, restarts, pending } = inference.status()
      const conditions = parts.cameraConditions()
      const details: Record<string, JsonValue> = {
        inference: { state, restarts, pending },
        safe_mode: parts.safe,
        clock: { unset: parts.clockUnset() },
        site_problem: parts.siteProblem(),
        connections: parts.connectionProblems(),
        nvr: parts.nvr(),
        cameras: site().cameras.map(({ id, name, roles }) => ({
          id,
          name,
          roles: [...roles],
          ...conditionView(conditions.get(id)),
        })),
      }
      const safe = parts.safe !== null
      const shed = { pictures: picturesShed(), ...parts.connectionsShed() }
      return { ready: ready() && !safe, safe: ready() && safe, details, shed }
    },
    metrics: () => metricsOf(store, inference),
    timeZone: () => site().timeZone,
    version,
  }
}

/** How a camera is; one that has no source gives no picture and lacks nothing. */
function conditionView(condition: CameraCondition | undefined): { [name: string]: JsonValue } {
  const { lastFrameAt = null, problem = null, offlineSince = null, pingMs } = condition ?? {}
  return {
    problem,
    last_frame_at: lastFrameAt === null ? null : iso(lastFrameAt),
    offline_since: offlineSince === null ? null : iso(offlineSince),
    ...(pingMs !== undefined && { ping_ms: pingMs === null ? null : Math.round(pingMs) }),
  }
}

/** The models that ship, those that were brought, and how the one that the site names is. */
async function modelsView({ catalogue, installed, language, gates, site }: SystemParts): Promise<JsonValue> {
  const [checks, brought] = await Promise.all([verify(catalogue), installed.list()])
  const named = site().language
  const inUse = named?.kind === 'file' ? named.file : null
  const seeing = site().vision
  const folder = seeing?.kind === 'folder' ? seeing.folder : null
  return {
    gates: gates.view(),
    models: catalogue.models.map(({ name, task, description, licence, source, calibration }) => ({
      ...{ name, task, description, licence, source },
      calibrated_on: calibration.pictures,
      files: checks.filter(check => check.model === name).map(({ path, state }) => ({ path, state })),
    })),
    installed: brought.map(({ file, bytes, record, misfit }) => ({
      name: file,
      task: record?.facts.task ?? 'other',
      known: record?.known ?? null,
      architecture: record?.facts.architecture ?? null,
      quantisation: record?.facts.quantisation ?? null,
      context: record?.facts.context ?? null,
      bytes,
      need_bytes: record?.facts.needBytes ?? null,
      misfit,
      in_use: file === inUse || file === folder,
      warnings: record?.warnings ?? ['It was put there by hand: run "gatehouse models add" on it.'],
    })),
    language: named && stateOf(language.model, named.kind, inUse, brought),
    vision: seeing && stateOf(language.vision, seeing.kind, folder, brought),
  }
}

/** How a model was when it was last asked; `file`: what of the installed ones it is. */
function stateOf(
  model: WatchedModel | null,
  kind: string,
  file: string | null,
  brought: readonly { file: string }[],
): JsonValue {
  if (!model) return null
  const { name, backend, state } = model
  return {
    name,
    kind,
    installed: file === null ? null : brought.some(each => each.file === file),
    backend,
    ...state,
    at: state.at === null ? null : new Date(state.at).toISOString(),
  }
}
