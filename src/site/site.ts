import { type Problem, type SiteView, sameIdentity, TOOL_KINDS } from '../contract/index.ts'
import { GatehouseError } from '../core/index.ts'
import { appsView } from './apps.ts'
import type { Reach } from './channel-types.ts'
import type { HookRule } from './hooks.ts'
import type { Keep } from './keep.ts'
import { contentOf, NOTHING, readSite, type SiteContent } from './read.ts'
import { invalid, laidOver, type Rules } from './rules.ts'
import type { SiteData } from './schema.ts'
import type {
  BackupsSetting,
  Camera,
  Destination,
  FacesSetting,
  HomeAssistantSetting,
  KnownApp,
  LanguageSetting,
  MqttSetting,
  NatsSetting,
  NvrSetting,
  Polygon,
  ToolMode,
  Topic,
  UpdatesSetting,
  VisionSetting,
} from './types.ts'

/** A site file that cannot be used; `problems` has all that is wrong, the message the first of it. */
export class SiteError extends GatehouseError {
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    const [first] = problems
    const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
    super('site_invalid', `${first?.file}:${first?.line}:${first?.column} ${first?.message}${more}`, {
      status: 422,
    })
    this.name = 'SiteError'
    this.problems = problems
  }
}

/** Where a site comes from. */
interface Origin {
  data: SiteData
  file: string
  version: number
  warnings: readonly Problem[]
}

/** What the people of this place told the box: cameras, roles, lists, destinations. Does not change: read it anew. */
export class Site {
  readonly #content: SiteContent
  readonly #origin: Origin
  readonly #apps: readonly KnownApp[] | null

  constructor(
    content: SiteContent = NOTHING,
    origin: Origin = { data: {}, file: '', version: 0, warnings: [] },
    apps: readonly KnownApp[] | null = null,
  ) {
    this.#content = content
    this.#origin = origin
    this.#apps = apps
  }

  /**
   * Reads a site file. `file` names it in problems, and its folder is where relative paths begin. An empty text
   * is a site with nothing. Throws `SiteError`.
   */
  static load(text: string, file: string): Site {
    const { content, data, problems } = readSite(text, file)
    if (!content) throw new SiteError(problems)
    return new Site(content, { data, file, version: 0, warnings: problems })
  }

  /** What is odd about the file and does not keep it from being used. */
  get warnings(): readonly Problem[] {
    return this.#origin.warnings
  }

  /** The same site with what was set on the box over it. Throws `rules_invalid`. */
  withRules(rules: Rules, version: number): Site {
    const { data, file, warnings } = this.#origin
    const refuse = (_pointer: string, _code: string, message: string) => {
      throw invalid(message)
    }
    const isSet = (id: string) => Object.hasOwn(rules.cameras ?? {}, id)
    const content = contentOf(laidOver(data, rules), file, refuse, isSet)
    return new Site(content, { data, file, version, warnings })
  }

  /** The same site, with the apps that its NVR has; null: nobody told. */
  withApps(apps: readonly KnownApp[] | null): Site {
    return apps === this.#apps ? this : new Site(this.#content, this.#origin, apps)
  }

  /** The apps of its NVR; null: nobody told. */
  get apps(): readonly KnownApp[] | null {
    return this.#apps
  }

  /** IANA name; the machine's own where the file does not say. */
  get timeZone(): string {
    return this.#content.timeZone
  }

  /** Version of the rules; 0: none is kept of this site. */
  get version(): number {
    return this.#origin.version
  }

  /** What rules may say, as plain data in the order in which it was written. */
  get rules() {
    const { facts, modes, people, lists, tools, cameras, destinations, topics, ...rest } = this.#content
    return {
      facts,
      modes,
      people: Object.fromEntries(people),
      lists: Object.fromEntries(lists),
      camera_roles: Object.fromEntries([...cameras].map(([id, { roles }]) => [id, roles])),
      ...seenOf([...cameras.values()]),
      tools: Object.fromEntries(tools),
      destinations: Object.fromEntries(
        [...destinations].map(([name, it]) => [name, [it.url.href, it.class, it.method]]),
      ),
      ...(topics.size && {
        topics: Object.fromEntries([...topics].map(([name, it]) => [name, [it.topic, it.class]])),
      }),
      trusted: [rest.plainAlertSources, rest.trustedWebhooks, rest.informingServices].map(names => [
        ...names,
      ]),
      time_zone: rest.timeZone,
      plate_confidence: rest.plateConfidence,
    }
  }

  /** How a tool of an AI step may be used here. */
  toolMode(name: string): ToolMode {
    return this.#content.tools.get(name) ?? 'auto'
  }

  /** The roles of a person, by a name compared as an identity; null: there is none of that name. */
  person(name: string): readonly string[] | null {
    for (const [known, roles] of this.#content.people) if (sameIdentity(known, name)) return roles
    return null
  }

  /** How people are told. */
  get reach(): Reach {
    return this.#content.reach
  }

  /** The people who are meant by `role:<role>` or `person:<name>`. */
  peopleBy(who: string): readonly string[] {
    const [sort, name = ''] = who.split(':')
    if (sort === 'person') return this.#content.people.has(name) ? [name] : []
    return [...this.#content.people].filter(([, roles]) => roles.includes(name)).map(([person]) => person)
  }

  /** How long runs are kept here, and how much room they may take. */
  get keep(): Keep {
    return this.#content.keep
  }

  /** The language model that is asked here, or null. */
  get language(): LanguageSetting | null {
    return this.#content.language
  }

  /** The model that Looks at pictures ask here instead, or null. */
  get vision(): VisionSetting | null {
    return this.#content.vision
  }

  /** Who compares faces here, and whose; null: faces are off. */
  get faces(): FacesSetting | null {
    return this.#content.faces
  }

  /** The NVR of this site, or null. */
  get nvr(): NvrSetting | null {
    return this.#content.nvr
  }

  /** The NATS server that the box listens to, or null. */
  get nats(): NatsSetting | null {
    return this.#content.nats
  }

  /** Where newer releases are looked for, or null. */
  get updates(): UpdatesSetting | null {
    return this.#content.updates
  }

  /** Where backups go by themselves, or null. */
  get backups(): BackupsSetting | null {
    return this.#content.backups
  }

  /** Where a detector serves its best picture of what it follows, or null. */
  get bestFrame(): URL | null {
    return this.#content.bestFrame
  }

  get alertGate(): { marks: number; low: number } {
    return this.#content.alertGate
  }

  /** Calls of AI in an hour, of all workflows together; null: as each of them allows. */
  get aiPerHour(): number | null {
    return this.#content.aiPerHour
  }

  get facts(): string {
    return this.#content.facts
  }

  /** The first is the one that a new box is in. */
  get modes(): readonly string[] {
    return this.#content.modes
  }

  get cameras(): readonly Camera[] {
    return [...this.#content.cameras.values()]
  }

  get destinations(): readonly Destination[] {
    return [...this.#content.destinations.values()]
  }

  get topics(): readonly Topic[] {
    return [...this.#content.topics.values()]
  }

  camera(id: string): Camera | null {
    return this.#content.cameras.get(id) ?? null
  }

  cameraName(id: string): string | null {
    return this.camera(id)?.name ?? null
  }

  /** In the file's order; none for a camera that is not known. */
  rolesOf(cameraId: string): readonly string[] {
    return this.camera(cameraId)?.roles ?? []
  }

  /** Ids of the cameras that bear a role. */
  camerasWithRole(role: string): readonly string[] {
    return this.cameras.filter(camera => camera.roles.includes(role)).map(camera => camera.id)
  }

  /**
   * What is not to be seen of whatever is called so: of that camera, whoever calls it how (its id or name in any case,
   * the NVR's number of it, or a role); of a role that several bear, what is not to be seen of any of them.
   */
  masksOf(camera: string): readonly Polygon[] {
    const known = this.camera(camera)
    const meant = known ? [known] : this.cameras.filter(each => isCalled(each, camera))
    return meant.flatMap(({ masks }) => [...masks.values()])
  }

  zone(cameraId: string | null, name: string): Polygon | null {
    return (cameraId === null ? null : this.camera(cameraId)?.zones.get(name)) ?? null
  }

  /** The entries of a list, as written, or null. */
  list(name: string): readonly string[] | null {
    return this.#content.lists.get(name) ?? null
  }

  destination(name: string): Destination | null {
    return this.#content.destinations.get(name) ?? null
  }

  /** Who may use the webhook of a workflow; null: whoever knows its address. */
  hook(slug: string): HookRule | null {
    return this.#content.hooks.get(slug) ?? null
  }

  /** Every secret that it names, each once. */
  get secretNames(): readonly string[] {
    const found = new Set<string>()
    const search = (value: unknown) => {
      if (value === null || typeof value !== 'object') return
      if ('secret' in value && typeof value.secret === 'string') found.add(value.secret)
      for (const each of Object.values(value)) search(each)
    }
    search(this.#origin.data)
    search(this.destinations.map(({ headers, sign }) => ({ headers, sign })))
    search(this.cameras.map(({ source, stream, ptz }) => ({ source, stream, ptz })))
    return [...found]
  }

  /** A destination on the broker, or null. */
  topic(name: string): Topic | null {
    return this.#content.topics.get(name) ?? null
  }

  /** The Home Assistant of this site, or null. */
  get homeAssistant(): HomeAssistantSetting | null {
    return this.#content.homeAssistant
  }

  /** The MQTT broker of this site, or null. */
  get mqtt(): MqttSetting | null {
    return this.#content.mqtt
  }

  /** What the validator and the proof have to know, for the workflow of that slug. */
  view(slug?: string): SiteView {
    const { cameras, people, lists, destinations, topics, apps, ...content } = this.#content
    return {
      roles: new Set([...cameras.values()].flatMap(camera => camera.roles)),
      zones: zonesByRole(cameras.values()),
      lists: new Set(lists.keys()),
      people: new Set(people.keys()),
      personRoles: new Set([...people.values()].flat()),
      destinations: new Map([...destinations, ...topics].map(([name, it]) => [name, it.class])),
      topics: new Set(topics.keys()),
      unreachable: content.unreachable,
      apps: appsView(apps, this.#apps),
      ...(content.nvr && !this.#apps && { appsUnknown: true }),
      ...(this.#apps && {
        alertSources: new Set(this.#apps.flatMap(({ id, raises }) => (raises ? [id] : []))),
      }),
      tools: new Set(TOOL_KINDS),
      plainAlertSources: content.plainAlertSources,
      trustedWebhook: slug !== undefined && content.trustedWebhooks.has(slug),
      informingServices: content.informingServices,
      guardedCameras: new Set(),
      plateConfidence: content.plateConfidence,
    }
  }
}

/** Whether somebody may mean that camera who does not say its id. */
function isCalled({ id, name: shown, source, roles }: Camera, name: string): boolean {
  const number = (id: string) => /^(?:cam-?)?0*(\d{1,9})$/i.exec(id)?.[1] ?? id
  const isOurs = [id, shown, ...roles].some(each => sameIdentity(each, name))
  return isOurs || (source?.kind === 'nvr' && number(source.camera) === number(name))
}

/** Zones and masks of those that have some, and where the pictures of those come from that were added on the box. */
function seenOf(cameras: readonly Camera[]) {
  const some = (key: 'zones' | 'masks') =>
    cameras.flatMap(camera => (camera[key].size ? [[camera.id, [...camera[key]]] as const] : []))
  const [zones, masks] = [some('zones'), some('masks')]
  const set = cameras.filter(({ from }) => from === 'page')
  return {
    ...(zones.length && { zones }),
    ...(masks.length && { masks }),
    ...(set.length && {
      cameras: set.map(({ id, name, source, stream, ptz }) => [id, name, source, stream, ptz]),
    }),
  }
}

/** A role that nobody bears is none; a camera without zones has no zone. */
function zonesByRole(cameras: Iterable<Camera>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { roles, zones } of cameras) {
    for (const role of roles) found.set(role, new Set([...(found.get(role) ?? []), ...zones.keys()]))
  }
  return found
}
