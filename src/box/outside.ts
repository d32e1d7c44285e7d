import {
  AnswerLinks,
  CameraWatch,
  Channels,
  Companion,
  HomeAssistant,
  HomeAssistantRest,
  type HomeAssistantUpdates,
  HttpOutgoing,
  MqttConnection,
  Nats,
  NoticeFeeds,
  type Nvr,
  type Secrets,
  type SiteCameras,
  SiteHooks,
  SiteTurner,
  StreamRecorder,
  Tracks,
} from '../connect/index.ts'
import type { Bus, Clock, Log } from '../core/index.ts'
import type { Engine, EngineTopics } from '../engine/index.ts'
import type { Cameras, Outgoing } from '../kinds/index.ts'
import type { Site } from '../site/index.ts'
import type { Store } from '../store/index.ts'
import { auditedMode } from './audited-mode.ts'
import { type Connection, Connections } from './connections.ts'
import { SiteTests } from './site-tests.ts'
import { version } from './version.ts'

export interface OutsideOptions {
  site: () => Site
  secrets: Secrets
  /** On which this box itself listens. */
  ownPorts: () => readonly number[]
  clock: Clock
  log: Log
  dataDir: string
  /** Bytes that are free on its disk. */
  free(): Promise<number>
  store: Store
  bus: Bus<EngineTopics>
  /** It is made of what is made here. */
  engine: () => Engine
  nvr: Nvr
  cameras: SiteCameras
  /** Their pictures as they may be seen. */
  seen: Cameras
  /** How requests leave the box; by HTTP to the listed destinations where absent. */
  outgoing?: Outgoing
  /** How the models of this box are. */
  models(): { eyes: string; language: string | null }
  /** A stored picture, made small; null where there is none any more. */
  picture(id: number): Promise<{ bytes: Uint8Array; type: string } | null>
  /** What is asked for from Home Assistant. */
  updates: HomeAssistantUpdates
  /** What else is started with the lines and stopped with them. */
  also: readonly Connection[]
  /** Nobody need bring events. */
  assumed?: 'triggers'
}

/** Everybody outside this box: the lines to them, started and stopped as one, and what the kinds ask of them. */
export function outside(options: OutsideOptions): {
  connections: Connections
  outgoing: Outgoing
  hooks: SiteHooks
  tests: SiteTests
  channels: Channels
  links: AnswerLinks
  siteMode: ReturnType<typeof auditedMode>
} {
  const { site, secrets, ownPorts, clock, log, store, bus, engine, nvr, cameras, picture, assumed } = options
  const { dataDir } = options
  const events = {
    submit: (event: Parameters<Engine['submit']>[0]) => engine().submit(event),
    listensFor: () => engine().listensFor(),
  }
  const boxId = () => store.meta.boxId
  const siteMode = auditedMode({ mode: nvr.mode, site, store, clock })
  const homeAssistant = new HomeAssistant({
    ...{ engine, bus, version, boxId, clock, log, models: options.models, updates: options.updates },
    siteMode,
    picture: async id => (await picture(id))?.bytes ?? null,
  })
  const mqtt = new MqttConnection({ site, secrets, clock, log, boxId, guest: homeAssistant })
  const tracks = new Tracks({ site, submit: events.submit, ownPorts, clock, log })
  const nats = new Nats({
    ...{ site, secrets, clock, log, bus, engine: events, listeners: [tracks] },
    onUp: () => feeds.retry('nats'),
  })
  const home = new HomeAssistantRest({ site, secrets, ownPorts, clock })
  const outgoing = options.outgoing ?? new HttpOutgoing({ site, secrets, ownPorts, clock })
  const links = new AnswerLinks({ site, store })
  const channels = new Channels({
    ...{ site, secrets, clock, boxId, ownPorts, outgoing, broker: mqtt, home, links },
    picture: id => picture(id).catch(() => null),
    onUp: lane => feeds.retry(lane),
  })
  const feeds = new NoticeFeeds({
    ...{ store, bus, clock, log, site },
    channels: () => [...channels.channels, ...[nats.alerts].filter(each => each !== null)],
    askers: () => channels.askers,
  })
  const companion = new Companion({ site, engine, bus, home, boxId, clock, log })
  const recorder = new StreamRecorder({ site, secrets, dataDir, free: options.free, clock, log })
  const watch = new CameraWatch({
    ...{ site, cameras, store, clock, log },
    engine: { ...events, standstill: id => engine().workflow(String(id))?.needs_attention ?? null },
  })
  // Where a person hands the event in, no camera is looked at for another.
  const brings = assumed ? [] : [watch]
  const connections = new Connections({
    connections: [
      ...options.also,
      ...[mqtt, home, companion, nvr, tracks, nats, channels, feeds, recorder, ...brings],
    ],
    world: {
      broker: mqtt,
      home,
      apps: nvr.apps,
      tracks,
      turner: new SiteTurner({ site, secrets, clock }),
      recorder,
      ...(assumed && { assumed }),
    },
    log,
  })
  return {
    connections,
    outgoing,
    channels,
    links,
    siteMode,
    hooks: new SiteHooks({ site, secrets, ownPorts, clock }),
    tests: new SiteTests({
      site,
      secrets,
      store,
      clock,
      channels,
      outgoing,
      broker: mqtt,
      cameras: options.seen,
    }),
  }
}
