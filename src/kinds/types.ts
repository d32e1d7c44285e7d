import type { ToolAnswer, ToolMode } from '../ai/index.ts'
import type { Effect, Json, Severity, SiteView } from '../contract/index.ts'
import { GatehouseError, type IncomingEvent, type JsonValue, messageOf, type Picture } from '../core/index.ts'
import type { Vision } from '../vision/index.ts'
import type { Archive, CameraHealth, Cameras, Faces, Outgoing, Records, SiteModePort } from './ports.ts'
import type { Clip, World } from './world.ts'

/**
 * The named facts of a run: `plate` the latest of that name, `trigger.plate` the trigger's, `look.company` those
 * of a named step. Has no prototype: names come from outside.
 */
export type Values = { [name: string]: JsonValue }

/** How many marks an AI step needs, and which lower bound of its accuracy (Wilson, 95 %). */
export interface AlertGate {
  marks: number
  low: number
}

/** What the functions of the kinds ask of the site. One does not change: a file that was read anew is another. */
export interface SitePort {
  /** IANA name of the site's time zone. */
  readonly timeZone: string
  /** The entries of a list, or null where the site has none of that name. */
  list(name: string): readonly string[] | null
  /** The roles that a camera bears, in the site file's order; empty for a camera that is not known. */
  rolesOf(cameraId: string): readonly string[]
  /** The camera's name for people, or null. */
  cameraName(cameraId: string): string | null
  /** Ids of the cameras that bear a role. */
  camerasWithRole(role: string): readonly string[]
  /** A zone drawn on a camera's picture, as a relative polygon, or null. */
  zone(cameraId: string | null, name: string): [number, number][] | null
  /** Version of the site's rules; 0 where none is kept. */
  readonly version: number
  /** What an AI step has to have shown before its alerts may be more than `medium`. */
  readonly alertGate: AlertGate
  /** The site's facts as one text: data for a model. */
  readonly facts: string
  /** Calls of AI in an hour, of all workflows together; null or absent: as each of them allows. */
  readonly aiPerHour?: number | null
  /** Who agreed to have their face compared, and from which similarity on it is theirs; null or absent: faces are off. */
  readonly faces?: { readonly people: readonly string[]; readonly sure: number } | null
  /** What the validator and the proof know of the site, for the workflow of that slug. */
  view(slug?: string): SiteView
  /** How a tool of an investigation may be used here. */
  toolMode(name: string): ToolMode
  /** The roles of a person of the site, compared as an identity; null: there is none of that name. */
  person(name: string): readonly string[] | null
}

/** What a tool of an investigation works with, in one step of one run. */
export interface ToolRoom {
  site: SitePort
  /** Epoch ms. */
  now(): number
  cameras: Cameras
  health: CameraHealth | null
  /** Null: nothing on this box looks at pictures. */
  vision: Vision | null
  /** Null: nobody compares faces. */
  faces: Faces | null
  records: Records
  /** Who else keeps what was; null: nobody, or nobody who is asked here. */
  archive: Archive | null
  /** The camera of the event. */
  cameraId: string | null
  /** When the event was observed (epoch ms). */
  eventAt: number
  /** What came with the event. */
  eventPictures(): Promise<{ ref: number | null; picture: Picture }[]>
  /** Keeps a picture with the run; answers with a reference by which it is found again. */
  keep(picture: Picture): Promise<number | null>
  /** The model is shown pictures; otherwise it is told in words what they show. */
  sees: boolean
}

/** One tool at work. Arguments fit its descriptor, narrowed to what this site has. */
export interface ToolFunction {
  run(args: { [name: string]: JsonValue }, room: ToolRoom, ctx: { signal: AbortSignal }): Promise<ToolAnswer>
}

/** One trigger kind at work: the values that the event gives, or null where it does not fit. */
export interface TriggerFunction {
  matches(params: { [key: string]: Json }, event: IncomingEvent, site: SitePort): Values | null
}

/** What a condition may look at. Reading it does nothing outside the box. */
export interface ConditionContext {
  values: Values
  /** Epoch ms. */
  now: number
  site: SitePort
  /** The site's mode. */
  mode: string
  /** Values that are identities (a plate, who pressed): compared exactly. */
  identities: ReadonlySet<string>
  /** The camera of the run. */
  cameraId: string | null
  /** Whether the latest step of that name ended well; `unsure` is not success. */
  succeeded(step: string): boolean
  /** When the step that asks began (epoch ms). */
  startedAt: number
  /** The text that a role's camera shows; null where nobody could read it. Absent: nobody reads here. */
  textOf?(camera: string): string | null
}

/** What a kind of condition does. */
export interface ConditionFunction {
  /** Null: it is not known, because what it reads is missing. */
  holds(params: unknown, ctx: ConditionContext): boolean | null
}

/** What an action leaves for people: becomes a row on the page together with the action's result. */
export interface ActionNotice {
  kind: 'alert' | 'notify'
  severity: Severity
  title: string
  body: string
  audience: string | null
}

/** What an action knows of its run. */
export interface ActionRoom {
  /** The camera that a role means in this run; without one that of the event. Throws `camera_unknown`. */
  camera(role?: string): string
  /** When what started the run was observed (epoch ms). */
  readonly at: number
  /** Resolves at a time (epoch ms), or at once where that is over. Rejects where nobody waits any more. */
  until(at: number): Promise<void>
  /** What a camera shows now. Rejects with `GatehouseError` (`camera_unknown`, `camera_offline`). */
  snapshot(cameraId: string): Promise<Picture>
  /** What it showed at a time (epoch ms). Rejects with `GatehouseError` where that was not recorded. */
  recorded(cameraId: string, at: number): Promise<Picture>
  /** Keeps with the run what was recorded; answers with a reference by which it is found again. */
  keep(recorded: Picture | Clip): Promise<number>
}

/** What an action may use. */
export interface ActionContext {
  room: ActionRoom
  /** Stable over all tries of this step, on this box and no other. */
  deliveryId: string
  /** Of the run: goes out with what it sends, so that an echo is known as one. */
  correlationId: string
  /** What this very use does, as the engine decided before it began. */
  effect: Effect
  /** The most that an alert may say of itself, and why not more, in one line. */
  severest: Severity
  capped: string | null
  signal: AbortSignal
  outgoing: Outgoing
  siteMode: SiteModePort
  world: World
}

/** What an action did. */
export interface ActionDone {
  /** What the world answered; stored as the step's result, its keys are the step's values. */
  receipt: { [key: string]: JsonValue }
  notice?: ActionNotice
}

/**
 * One action kind at work. Parameters arrive with their placeholders filled. Rejects with a `GatehouseError`;
 * a move that may have happened although it rejected throws `Uncertain`, a message for which another try may go
 * better throws `Undelivered`: it is then run again with the same parameters and the same delivery id.
 */
export interface ActionFunction {
  /** What it does is in rows and nowhere else: it is done when they are written, and needs none before that. */
  rowsOnly?: true
  /** It takes long: it is broken off where the box stops, and done again after that. */
  again?: true
  run(params: unknown, ctx: ActionContext): ActionDone | Promise<ActionDone>
}

/** Nobody knows whether it happened: the request left and no clear answer came back. */
export class Uncertain extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'Uncertain'
  }
}

/** A message did not get through this time: the same one may be sent again. */
export class Undelivered extends GatehouseError {
  constructor(cause: unknown) {
    super(cause instanceof GatehouseError ? cause.code : 'failed', messageOf(cause), { cause })
    this.name = 'Undelivered'
  }
}
