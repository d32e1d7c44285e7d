/** Events of the past and cases, as they come out by a file. */
import type { Problem } from '../contract/index.ts'
import type { JsonValue } from '../core/index.ts'
import type { RunStatus } from '../store/index.ts'
import type { RunView, StepView } from './types.ts'
import type { OwnOutcome } from './types-cases.ts'

/** What came of an event. */
export interface Tried {
  /** Null where it was only a try. */
  run: number | null
  version: number | null
  status: RunStatus
  /** The last decision of AI, its reason and how sure it was. */
  decision: string | null
  reason: string | null
  confidence: number | null
  /** The first question to people. In a try nobody can be asked: what follows is the way of its default. */
  asks: { who: string[]; message: string } | null
  /** What was done, or would have been, in words. */
  did: string
  /** The same in detail. */
  effects: { path: string; kind: string; status: StepView['status']; inputs: JsonValue }[]
}

/** An event of the past: what came of it then, and what would now. */
export interface TriedEvent {
  /** `run`: where its pictures are; `picture`: the one that stands for it. */
  event: {
    id: string
    kind: string
    at: string
    camera: string | null
    run: number
    picture: number | null
  }
  /** Null where this workflow did not run then. */
  then: Tried | null
  now: Tried | null
  /** Why nothing began now, or was not tried. */
  kept_out: { code: string; message: string } | null
  /** Whether it comes out differently; null where there is nothing to compare. */
  flipped: boolean | null
}

/** An event of the past under a file and, beside it, under the version in force; `flipped` compares these two. */
export interface ComparedEvent extends TriedEvent {
  /** Of the version in force: its run where there was one, else a try as well; null: it starts nothing, or there is none. */
  saved: Tried | null
  /** Of the file. */
  trace: RunView | null
}

/** Follows a try while it goes on. */
export interface TryWatcher {
  /** Ends it. */
  signal: AbortSignal
  /** `of`: so many are tried at most; `version`: the one in force that is compared with, null: there is none. */
  begins(about: { trigger: string; of: number; version: number | null }): void
  tried(one: ComparedEvent): void
}

/** A marked run, and what would come of it now. */
export interface MarkedCase extends TriedEvent {
  marked: 'right' | 'wrong'
}

/** What a version makes of the runs that people marked. */
export interface CasesOutcome {
  tried: MarkedCase[]
  /** That were right and come out differently. */
  worse: number
  /** That were wrong and come out differently. */
  better: number
  /** What it makes of the cases of the template that it was made from; absent: it judges as that does, or has none. */
  template?: TemplateOutcome
  /** What it makes of the cases that people made for it; absent: none of them could come out otherwise. */
  own?: OwnOutcome
}

/** What a file makes of the cases that come with a template. */
export interface TemplateOutcome {
  /** Its file. */
  name: string
  tried: TemplateTried[]
  /** That come out differently. */
  flipped: number
}

export interface TemplateTried {
  /** What is shown in it. */
  case: string
  /** The decision of its last AI step, as the template makes it and as the file does. */
  expected: string
  decision: string | null
  reason: string | null
  /** Why it was not judged, or null. */
  kept_out: { code: string; message: string } | null
  /** Null where it was not judged. */
  flipped: boolean | null
}

/** What a file did with events of the past, or what is wrong with it. */
export type TryOutcome =
  | { ok: true; tried: TriedEvent[]; flipped: number; note: string | null }
  | { ok: false; problems: Problem[] }
