import { type Bus, type Clock, GatehouseError, iso, type Log, messageOf } from '../../core/index.ts'
import type { EngineApi, EngineTopics, RunSummary } from '../../engine/index.ts'
import type { Guest, Line } from '../mqtt/connection.ts'
import { Board } from './board.ts'
import { Commands } from './commands.ts'
import { Decisions } from './decisions.ts'
import { type Topics, topicsOf } from './device.ts'
import { entitiesOf } from './entities/index.ts'
import { runsKey } from './entities/workflow-runs.ts'
import { BY, type Entity, type Room } from './entity.ts'
import { JudgedPicture } from './judged-picture.ts'
import { RunEvents } from './run-events.ts'

/** What changes in between is gathered for so long. */
const GATHER_MS = 250
/** What nobody tells of (a model, the site's mode) is looked at so often. */
const LOOK_MS = 10_000
/** Home Assistant asks for some patience when it begins, and that not all come at the same time. */
const BIRTH_MS = { least: 1_000, most: 5_000 }
/** By itself Home Assistant says there that it is online, whatever its discovery prefix is. */
const BIRTH = 'homeassistant/status'
const NOT_ALLOWED =
  'The MQTT broker does not take all that Home Assistant is told: look which topics mqtt.user may use there.'

export interface HomeAssistantOptions {
  engine: () => EngineApi
  bus: Bus<EngineTopics>
  siteMode: Room['siteMode']
  models: Room['models']
  /** A stored picture as a small JPEG; null: it is not there any more. */
  picture(id: number): Promise<Uint8Array | null>
  version: string
  updates: Room['updates']
  boxId: () => string
  clock: Clock
  log: Log
}

/** This box in Home Assistant, by its MQTT discovery: there as long as there is a broker. */
export class HomeAssistant implements Guest {
  readonly #options: HomeAssistantOptions
  readonly #commands: Commands
  readonly #decisions: Decisions
  readonly #events = new RunEvents()
  #here: Here | null = null
  /** What came of the last command. */
  #said: { text: string; at: string } | null = null

  constructor(options: HomeAssistantOptions) {
    this.#options = options
    this.#commands = new Commands(options.clock)
    this.#decisions = new Decisions(options.engine)
  }

  /** Commands that were left out since the start, by reason. */
  get ignored(): Readonly<Record<string, number>> {
    return this.#commands.ignored
  }

  /** Why Home Assistant does not see all of this box, in one line, or null. */
  get problem(): string | null {
    return this.#here?.problem ?? null
  }

  up(line: Line): void {
    const { bus, boxId, version, updates, engine, siteMode, models, clock } = this.#options
    const topics = topicsOf(line, boxId())
    const board = new Board({ line, topics, boxId: boxId(), version })
    const room: Room = {
      ...{ engine: engine(), setting: line.setting, siteMode, models, version, updates },
      now: () => clock.now(),
    }
    const picture = new JudgedPicture({ board, clock, read: this.#options.picture })
    const here: Here = { line, topics, board, room, picture, entities: new Map(), timers: new Set(), off: [] }
    this.#here = here
    this.#decisions.start()
    here.off = [
      bus.on('run', run => this.#ran(run, here)),
      bus.on('workflow', ({ id, removed }) => {
        if (removed) this.#decisions.forget(id)
        this.#soon(here)
      }),
      bus.on('approval', () => this.#soon(here)),
      bus.on('holds', () => this.#soon(here)),
    ]
    this.#begin(here).catch(error => {
      if (!here.ended) here.problem = NOT_ALLOWED
      this.#options.log.warn({ error: messageOf(error) }, 'Home Assistant could not be told of this box')
    })
  }

  message(topic: string, payload: Uint8Array, retained: boolean): void {
    const here = this.#here
    if (!here) return
    const { topics, line, board } = here
    if (topic === topics.config) {
      if (retained && board.learn(payload)) this.#soon(here)
    } else if (topic === BIRTH || topic === `${line.setting.discoveryPrefix}/status`) {
      // One that the broker kept is of some other time; it was told everything when we came.
      if (!retained && new TextDecoder().decode(payload) === 'online') this.#born(here)
    } else this.#command(topic, payload, retained, here)
  }

  async leave({ publish }: Line, removed: boolean): Promise<void> {
    const here = this.#here
    if (!here) return
    this.#end(here)
    await Promise.all([here.showing, here.picture.stop()])
    if (removed) await here.board.clear()
    else await publish({ topic: here.topics.status, payload: 'offline', qos: 1, retain: true })
  }

  down(): void {
    if (this.#here) this.#end(this.#here)
    this.#here = null
  }

  /** What the broker kept of this box is heard before it is overwritten. */
  async #begin(here: Here): Promise<void> {
    const { topics, line } = here
    const births = new Set([BIRTH, `${line.setting.discoveryPrefix}/status`])
    await line.subscribe([topics.config, topics.commands, ...births])
    await this.#show(here)
    await line.unsubscribe(topics.config)
    const look = () => {
      this.#soon(here)
      this.#after(LOOK_MS, here, look)
    }
    this.#after(LOOK_MS, here, look)
  }

  #ran(run: RunSummary, here: Here): void {
    this.#decisions.take(run)
    const event = this.#events.take(run, this.#options.clock.now())
    if (event) {
      const { state: topic } = here.topics.of(runsKey(run.workflow.id))
      // An event that is late is none: it is never kept, and not told again.
      void here.line.publish({ topic, payload: JSON.stringify(event), qos: 1, retain: false })
    }
    this.#soon(here)
  }

  #born(here: Here): void {
    if (here.born) return
    here.born = true
    const wait = BIRTH_MS.least + Math.random() * (BIRTH_MS.most - BIRTH_MS.least)
    this.#after(wait, here, () => {
      here.born = false
      here.board.again()
      here.picture.again()
      void this.#show(here)
    })
  }

  #command(topic: string, payload: Uint8Array, retained: boolean, here: Here): void {
    const text = this.#commands.take(payload, retained)
    if (text === null) return
    const key = topic.slice(here.line.base.length + 1, -'/set'.length)
    const entity = here.entities.get(key)
    if (!entity?.command) {
      this.#commands.count('unknown')
      return
    }
    entity.command(text).then(
      said => this.#answered(said, here),
      (error: unknown) => {
        this.#commands.count('refused')
        const why = messageOf(error)
        if (!(error instanceof GatehouseError))
          this.#options.log.error({ error: why, entity: key }, 'a command of Home Assistant failed')
        this.#answered(why, here)
      },
    )
  }

  #answered(text: string, here: Here): void {
    this.#said = { text, at: iso(this.#options.clock.now()) }
    this.#options.log.info({ by: BY.name }, text)
    this.#soon(here)
  }

  #soon(here: Here): void {
    if (here.soon || here.ended) return
    here.soon = true
    this.#after(GATHER_MS, here, () => {
      here.soon = false
      void this.#show(here)
    })
  }

  /** One after the other; what could not be told is told later. */
  #show(here: Here): Promise<void> {
    const showing = (here.showing ?? Promise.resolve()).then(async () => {
      if (here.ended) return
      try {
        const about = { status: here.topics.status, said: this.#said }
        const entities = entitiesOf(here.room, this.#decisions, about)
        here.entities = new Map(entities.map(entity => [entity.key, entity]))
        // What the broker did not take is told again at the next look, not at once.
        here.problem = (await here.board.show(entities)) ? null : NOT_ALLOWED
        here.picture.show(this.#decisions.pictured?.picture ?? null)
      } catch (error) {
        this.#options.log.error({ error: messageOf(error) }, 'Home Assistant was not told what is new')
      }
    })
    here.showing = showing
    return showing
  }

  #after(ms: number, here: Here, callback: () => void): void {
    if (here.ended) return
    const cancel = this.#options.clock.after(ms, () => {
      here.timers.delete(cancel)
      callback()
    })
    here.timers.add(cancel)
  }

  #end(here: Here): void {
    here.ended = true
    for (const off of here.off) off()
    for (const cancel of here.timers) cancel()
    here.timers.clear()
  }
}

/** What there is while there is a connection. */
interface Here {
  readonly line: Line
  readonly topics: Topics
  readonly board: Board
  readonly room: Room
  readonly picture: JudgedPicture
  readonly timers: Set<() => void>
  entities: ReadonlyMap<string, Entity>
  off: (() => void)[]
  /** Something is to be shown in a moment. */
  soon?: boolean
  /** Home Assistant has begun anew, and is told in a moment. */
  born?: boolean
  problem?: string | null
  ended?: boolean
  showing?: Promise<void>
}
