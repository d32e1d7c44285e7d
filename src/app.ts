import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Album } from './box/album.ts'
import { authoring } from './box/authoring.ts'
import { BackupWatch } from './box/backup/watch.ts'
import { CameraDesk } from './box/camera-desk.ts'
import { Care, type Host } from './box/care/care.ts'
import type { Connections } from './box/connections.ts'
import { DailyCopy } from './box/copies.ts'
import { disk } from './box/disk.ts'
import { eyesOf, lookWith } from './box/eyes.ts'
import { fileModels, SiteLanguage } from './box/language.ts'
import { ModelGates } from './box/model-gates.ts'
import { outside } from './box/outside.ts'
import { PictureDoor } from './box/picture-door.ts'
import type { Resources } from './box/resources.ts'
import { type Tell, tellSafe } from './box/safe-mode.ts'
import { boxSpeed } from './box/speed.ts'
import { systemInfo } from './box/system-info.ts'
import { Temperature } from './box/temperature.ts'
import { TemplateCases } from './box/template-cases.ts'
import { UpdateWatch } from './box/update/watch.ts'
import { Wellbeing } from './box/wellbeing/wellbeing.ts'
import { FileSecrets, Nvr, SiteCameras, SiteFaces, SiteFile, SiteHttp } from './connect/index.ts'
import { Bus, type Clock, type IncomingEvent, type Log, messageOf, SteadyClock } from './core/index.ts'
import { Engine, type EngineOptions, type EngineTopics, tellPeople } from './engine/index.ts'
import { boxClass, choosePreset, probe, readMeasured } from './hardware/index.ts'
import { Supervisor } from './inference/index.ts'
import type { Outgoing } from './kinds/index.ts'
import { Catalogue, InstalledModels } from './models/index.ts'
import { type Site, SiteMode, SiteRules } from './site/index.ts'
import { MediaFiles, Store } from './store/index.ts'
import { Access, type Listen, WebServer } from './web/index.ts'

export interface ApplianceOptions {
  /** The data folder; one appliance at a time holds it. */
  dataDir: string
  resources: Resources
  /** What `resources.models` lists, where it was read already. */
  catalogue?: Catalogue
  site: Site
  log: Log
  clock?: Clock
  /** What the engine is told on top of what this box gives it. */
  engine?: EngineOptions
  /** How requests leave the box; by HTTP to the listed destinations where absent. */
  outgoing?: Outgoing
  /** The file that `site` was read from, with its text: what is changed in it is taken over. */
  siteFile?: { file: string; text: string }
  /** Also a model that has passed nothing investigates, and nobody need bring events: where a person looks at one run. */
  ungated?: boolean
  /** Why nothing may run this time: the page and what is stored can be reached, nothing else begins. Null: all runs. */
  safe?: string | null
  /** The process that runs it, where it keeps its log and can start it anew. */
  host?: Host
  /** Port of the page where none was set on the box, 0 for any free one; null: no page. */
  port: number | null
  /** What the command line says of where to listen. */
  pinned?: Partial<Listen>
}

/**
 * The composition root: the whole box in one object. Ports are wired here and nowhere else; making it does nothing,
 * `start` starts from the ground up and `stop` stops in the other order.
 */
export class Appliance {
  readonly engine: Engine
  readonly store: Store
  readonly rules: SiteRules
  readonly access: Access
  readonly inference: Supervisor
  /** A child of its own for the language model: a long turn holds up no picture. */
  readonly language: Supervisor
  readonly #options: ApplianceOptions
  readonly #media: MediaFiles
  readonly #cameras: SiteCameras
  readonly #siteFile: SiteFile | null
  readonly #gates: ModelGates
  readonly #connections: Connections
  readonly #wellbeing: Wellbeing | null
  readonly #care: Care
  /** Null: no page. */
  readonly web: WebServer | null
  readonly #tellSafe: (why: string) => Promise<void>
  readonly #clock: Clock
  #ready = false

  constructor(options: ApplianceOptions) {
    const { dataDir, log, resources, clock = new SteadyClock() } = options
    this.#clock = clock
    this.#options = options
    const hardware = probe({ dataPath: dataDir })
    const preset = choosePreset(hardware)
    const { catalogue = Catalogue.load(resources.models) } = options
    const bus = new Bus<EngineTopics>(log)
    this.store = new Store({ dir: dataDir, clock, log, mends: true })
    this.rules = new SiteRules({
      store: this.store,
      clock,
      log,
      base: options.site,
      onChange: () => this.engine.recheck(),
      onSet: () => this.#siteChanged(),
      apps: at => nvr.apps.of(at.nvr),
    })
    const site = () => this.rules.site
    this.access = new Access({ store: this.store, clock })
    this.#media = new MediaFiles(dataDir)
    const secrets = new FileSecrets(dataDir)
    this.inference = new Supervisor({
      command: [...resources.command, 'inference'],
      socket: resources.inferenceSocket,
      modelsDir: catalogue.filesDir,
      log,
      clock,
    })
    this.language = new Supervisor({
      command: [...resources.command, 'inference'],
      socket: resources.inferenceSocket,
      modelsDir: catalogue.filesDir,
      log,
      name: 'language',
      clock,
    })
    const ownPorts = () => this.web?.ports ?? []
    const siteMode = new SiteMode(this.store, site)
    const onApps = () => this.rules.appsChanged()
    const nvr = new Nvr({ site, secrets, ownPorts, clock, log, siteMode, store: this.store, onApps })
    this.#cameras = new SiteCameras({
      site,
      clock,
      log,
      secrets,
      nvr: nvr.cameras,
      dataDir,
      onPicture: event => this.#arrived(event),
    })
    const installed = new InstalledModels({ dataDir, catalogue, hardware, clock })
    const speed = () => boxSpeed(dataDir, hardware, preset, site())
    this.#gates = new ModelGates({
      dataDir,
      language: () => site().language,
      box: boxClass(hardware, preset),
      clock,
    })
    const eyes = eyesOf(this.inference, catalogue)
    const door = new PictureDoor({ site, eyes, log })
    const cameras = door.cameras(this.#cameras)
    const desk = new CameraDesk({
      ...{ rules: this.rules, dataDir, secrets, store: this.store, eyes, door, clock, log },
      ...{ seen: cameras, nvr: nvr.cameras },
    })
    const album = new Album({ store: this.store, media: this.#media, eyes })
    const tell: Tell = news => tellPeople(news, { store: this.store, bus, clock })
    this.#tellSafe = why => tellSafe(why, this.store, tell)
    const updates = new UpdateWatch({ dataDir, site, store: this.store, clock, log, tell })
    const dailyCopy = new DailyCopy({ dataDir, command: resources.command, clock, log, tell })
    const {
      connections,
      outgoing,
      hooks,
      tests,
      channels,
      links,
      siteMode: modeSwitch,
    } = outside({
      also: [dailyCopy, new Temperature(clock), updates, new BackupWatch(site, clock)],
      updates,
      ...{
        site,
        secrets,
        ownPorts,
        clock,
        log,
        bus,
        nvr,
        store: this.store,
        cameras: this.#cameras,
        seen: cameras,
      },
      ...(options.outgoing && { outgoing: options.outgoing }),
      engine: () => this.engine,
      models: () => ({
        eyes: this.inference.status().state,
        language: language.model?.state.state ?? null,
      }),
      picture: id => album.small(id),
      dataDir,
      free: async () => (await disk(dataDir)).free,
      ...(options.ungated && { assumed: 'triggers' }),
    })
    this.#connections = connections
    const { world } = this.#connections
    const http = new SiteHttp({ site, secrets, ownPorts, clock })
    const language = new SiteLanguage({
      site,
      http,
      clock,
      ...(!options.ungated && { barred: () => this.#gates.why('investigate') }),
      ...fileModels({ inference: this.language, installed, hardware, preset, clock }),
    })
    this.engine = new Engine({
      store: this.store,
      media: this.#media,
      clock,
      log,
      bus,
      site,
      look: lookWith(eyes, catalogue, language),
      language,
      tools: {
        ...{ vision: eyes, health: this.#cameras, archive: door.archive(nvr.archive) },
        faces: new SiteFaces({ site, http }),
      },
      templates: new TemplateCases({ templates: resources.templates, site, clock }),
      speed,
      outgoing,
      ...{ cameras, door: door.event },
      siteMode: nvr.mode,
      world,
      disk: () => disk(dataDir),
      keep: () => site().keep,
      scopeOf: user => this.access.camerasOf(user),
      options: { lookMs: preset.seconds * 1000, scratchDir: join(dataDir, 'try'), ...options.engine },
    })
    this.#wellbeing = options.ungated
      ? null
      : new Wellbeing({
          ...{ site, store: this.store, clock, log },
          cameras: () => this.#cameras.conditions(),
          look: (camera, signal) => this.#cameras.look(camera, signal),
          connections: () => this.#connections.problems(),
          channels: () => channels.problems(),
          models: () => ({
            'language model': language.model?.state ?? null,
            'model for pictures': language.vision?.state ?? null,
          }),
          processes: () => ({
            'looking at pictures': this.inference.status(),
            'the language model': this.language.status(),
          }),
          tell,
        })
    const system = systemInfo({
      ...{ hardware, preset, catalogue, installed, language, site, secrets, clock },
      ...{ gates: this.#gates, inference: this.inference, store: this.store, safe: options.safe ?? null },
      measured: () => readMeasured(dataDir, hardware),
      engine: () => this.engine,
      claimed: () => this.access.claimed,
      channelProblems: () => channels.problems(),
      connectionProblems: () => this.#connections.problems(),
      connectionsShed: () => ({ ...this.#connections.shed(), hooks_refused: hooks.refused }),
      cameraConditions: () => this.#cameras.conditions(),
      nvr: () => nvr.view(),
      ready: () => this.#ready,
      clockUnset: () => clock instanceof SteadyClock && clock.unset,
      siteProblem: () => this.#siteFile?.problem ?? null,
      picturesShed: () => this.#cameras.shed,
    })
    this.#care = new Care({
      ...{ dataDir, command: resources.command, store: this.store, clock, site, system },
      engine: () => this.engine,
      copy: () => dailyCopy.renew(),
      onTrial: () => updates.onTrial,
      host: options.host ?? null,
      safe: options.safe ?? null,
      children: () => [
        { name: 'pictures', status: this.inference.status() },
        { name: 'language', status: this.language.status() },
      ],
    })
    this.#siteFile = options.siteFile ? this.#watched(options.siteFile, tell, clock) : null
    this.web =
      options.port === null
        ? null
        : new WebServer({
            port: options.port,
            pinned: options.pinned ?? {},
            dataDir,
            store: this.store,
            tell: news => {
              tell(news).catch(() => undefined)
            },
            engine: this.engine,
            access: this.access,
            bus,
            media: album,
            hooks,
            links,
            siteTests: tests,
            cameras: desk,
            authoring: authoring({
              ...{ site, language, speed, gates: this.#gates, world, clock },
              templates: resources.templates,
            }),
            siteRules: this.rules,
            siteMode: modeSwitch,
            system,
            care: this.#care,
            updates,
            clock,
            log,
          })
  }

  /** Starts everything; what a former process left unfinished goes on. Answers where the page is. */
  async start(): Promise<{ url: string | null }> {
    this.store.start()
    if (this.#clock instanceof SteadyClock)
      this.#clock.start(this.store.clockShift.latest, leap => this.engine.clockLeapt(leap))
    try {
      // A try that was cut off by a pulled plug left pictures there.
      await rm(join(this.#options.dataDir, 'try'), { recursive: true, force: true })
      await this.#care.start()
      await this.rules.start()
      await this.#media.start()
      const web = (await this.web?.start()) ?? null
      // Whoever asks whether the box is alive is answered before the workflows are read.
      await new Promise<void>(resolve => setImmediate(resolve))
      const { safe = null, log } = this.#options
      await this.engine.start({ idle: safe !== null })
      if (safe !== null) {
        await this.#tellSafe(safe)
        this.#ready = true
        return { url: web?.url ?? null }
      }
      await this.#cameras.start()
      await this.#connections.start()
      this.#siteFile?.start()
      this.#gates.start(() => {
        this.engine.recheck().catch(error => {
          log.error({ error: messageOf(error) }, 'workflows were not looked at anew')
        })
      })
      await this.#wellbeing?.start()
      this.#ready = true
      return { url: web?.url ?? null }
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  /** Stops taking work, lets what is being written be written, and ends the child. */
  async stop(): Promise<void> {
    this.#ready = false
    this.#gates.stop()
    await this.#wellbeing?.stop()
    await this.#siteFile?.stop()
    await this.#connections.stop()
    await this.#cameras.stop()
    await this.web?.stop()
    await this.engine.stop()
    await this.inference.stop()
    await this.language.stop()
    if (this.#clock instanceof SteadyClock) this.#clock.stop()
    this.store.stop()
  }

  /** Cameras and lines go by the site as it is now; before they run there is nothing to tell them. */
  async #siteChanged(): Promise<void> {
    if (!this.#ready || this.#options.safe) return
    await this.#cameras.reload()
    await this.#connections.reload()
  }

  #watched(siteFile: { file: string; text: string }, tell: Tell, clock: Clock): SiteFile {
    const { log } = this.#options
    return new SiteFile({
      ...siteFile,
      clock,
      log,
      onSite: async site => {
        await this.rules.rebase(site)
        await this.#siteChanged()
        const body = site.warnings.map(({ line, message }) => `Line ${line}: ${message}`).join(' ')
        if (body) await tell({ title: 'The site file is in force; look at this', body, severity: 'low' })
      },
      onProblem: problem =>
        tell(
          problem === null
            ? { title: 'The site file is in force again', body: siteFile.file, severity: 'low' }
            : {
                title: 'The site file was not taken over: what it said before stays in force',
                body: problem,
              },
        ),
    })
  }

  #arrived(event: IncomingEvent): void {
    this.engine.submit(event).catch(error => {
      this.#options.log.warn({ camera: event.cameraId, error: messageOf(error) }, 'a picture started no run')
    })
  }
}
