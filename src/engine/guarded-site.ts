import { guardingCameras, type SiteView, walk } from '../contract/index.ts'
import type { SitePort } from '../kinds/index.ts'
import type { Loaded } from './workflows.ts'

/**
 * The site, and which of its cameras must not be turned away: events of these guard a move of some workflow, and a
 * camera that looks elsewhere would let in whom it was to see. To turn one is a move.
 */
export class GuardedSite {
  readonly #site: () => SitePort
  readonly #workflows: () => Iterable<Loaded>
  #base: SitePort | null = null
  #made: SitePort | null = null
  #guarded = ''

  constructor(site: () => SitePort, workflows: () => Iterable<Loaded>) {
    this.#site = site
    this.#workflows = workflows
  }

  /** The site as it is now: the same object as long as nothing of it changes. */
  get(): SitePort {
    const base = this.#site()
    return base === this.#base && this.#made ? this.#made : this.#make(base)
  }

  /** Workflows have changed. Answers whether other cameras are guarded now. */
  refresh(): boolean {
    const before = this.#guarded
    this.#make(this.#site())
    return this.#guarded !== before
  }

  #make(base: SitePort): SitePort {
    const cameras = guardedCameras([...this.#workflows()], base)
    const guarded = [...cameras].sort().join(' ')
    if (base !== this.#base || guarded !== this.#guarded || !this.#made)
      this.#made = cameras.size ? new Guarding(base, cameras) : base
    this.#base = base
    this.#guarded = guarded
    return this.#made
  }
}

/** What cameras are called whose events guard a move; none where nobody turns any. */
function guardedCameras(workflows: readonly Loaded[], site: SitePort): Set<string> {
  const files = workflows.flatMap(({ row, program }) =>
    row.state === 'off' || !program ? [] : [{ slug: row.slug, workflow: program.workflow }],
  )
  const names = new Set<string>()
  if (!files.some(({ workflow }) => turns(workflow))) return names
  for (const { slug, workflow } of files) {
    const view = site.view(slug)
    const guarding = guardingCameras(workflow, view)
    for (const role of guarding === 'every' ? view.roles : guarding) {
      names.add(role)
      // The same camera by another name.
      for (const id of site.camerasWithRole(role))
        for (const name of [id, ...site.rolesOf(id)]) names.add(name)
    }
  }
  return names
}

function turns(workflow: Parameters<typeof walk>[0]): boolean {
  let found = false
  walk(workflow, ({ step }) => {
    if (step.kind === 'ptz_preset') found = true
  })
  return found
}

/** A site whose view says which cameras are guarded. */
class Guarding implements SitePort {
  readonly #base: SitePort
  readonly #cameras: ReadonlySet<string>

  constructor(base: SitePort, cameras: ReadonlySet<string>) {
    this.#base = base
    this.#cameras = cameras
  }

  get timeZone() {
    return this.#base.timeZone
  }
  get version() {
    return this.#base.version
  }
  get alertGate() {
    return this.#base.alertGate
  }
  get facts() {
    return this.#base.facts
  }
  get faces() {
    return this.#base.faces ?? null
  }
  list(name: string) {
    return this.#base.list(name)
  }
  rolesOf(cameraId: string) {
    return this.#base.rolesOf(cameraId)
  }
  cameraName(cameraId: string) {
    return this.#base.cameraName(cameraId)
  }
  camerasWithRole(role: string) {
    return this.#base.camerasWithRole(role)
  }
  zone(cameraId: string | null, name: string) {
    return this.#base.zone(cameraId, name)
  }
  toolMode(name: string) {
    return this.#base.toolMode(name)
  }
  person(name: string) {
    return this.#base.person(name)
  }
  view(slug?: string): SiteView {
    return { ...this.#base.view(slug), guardedCameras: this.#cameras }
  }
}
