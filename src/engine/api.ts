import type { Problem } from '../contract/index.ts'
import type { Identified, IncomingEvent } from '../core/index.ts'
import type { NoticeFilter, RunFilter } from '../store/index.ts'
import type { Outline, TestHistory } from './outline.ts'
import type { CameraScope, Reach } from './reach.ts'
import type {
  Admission,
  ApprovalView,
  AuditView,
  CaseSetApi,
  CasesOutcome,
  HoldsView,
  ListensFor,
  NoticeView,
  RepliesView,
  RunSummary,
  RunView,
  Switched,
  TryOutcome,
  TryWatcher,
  UpkeepView,
  VersionView,
  WorkflowTrust,
  WorkflowView,
} from './types.ts'

export type { CameraScope, NoticeFilter, Reach, RunFilter }

/** A file that was stored, or what is wrong with it; `problems` may hold warnings in both cases. */
export type Saved =
  | { ok: true; workflow: WorkflowView; problems: Problem[] }
  | { ok: false; problems: Problem[] }

/** What a file is stored as, and by whom. */
export interface SaveOptions {
  /** The workflow of which this is a new version; without it: a new workflow. */
  id?: number
  /** The version that it was made from: throws `changed_meanwhile` (409) where another one is in force. */
  over?: number
  /** Names the file in problems. */
  file?: string
  /** Who saves it. */
  by?: string
  /** Of a new workflow, whatever its file says. */
  state?: 'off' | 'test'
  /** Refuse a new workflow whose name another one bears: `name_taken`. */
  unique?: boolean
  /** Throws `out_of_scope` or `admin_needed` (403) for what lies beyond that. */
  reach?: Reach
}

/** What people say of runs, and what follows from it. */
export interface LearningApi {
  /** The cases that people made of runs. */
  readonly set: CaseSetApi
  /** Says whether an ended run was right; a later word of the same person replaces it. */
  mark(run: number, right: boolean, note: string | null, by: string): Promise<RunView>
  /** Newest first. */
  versions(workflowId: number): VersionView[]
  /** Throws `version_unknown`. */
  yamlOf(workflowId: number, version: number): string
  trust(workflowId: number): WorkflowTrust
  /**
   * Tries a saved workflow, or a draft of one (`yaml`), on up to 20 events of the past; nothing of it stays. Somebody who
   * watches hears of each as it is done, beside what the version in force makes of it, and may end it.
   */
  try(what: { id?: number; yaml?: string; reach?: Reach; watcher?: TryWatcher }): Promise<TryOutcome>
  /** Tries a workflow on up to 20 marked runs that were judged in another way than it judges now. */
  cases(workflowId: number): Promise<CasesOutcome>
}

/** Holding back, and letting go. */
export interface HoldsApi {
  view(): HoldsView
  /** Holds every move from now on, or none any more: those held for less than a minute are made then. */
  pause(paused: boolean, by: Identified): Promise<HoldsView>
  /** A person has the held move of a run made, or left. Rejects with `not_held` (409). */
  release(run: number, go: boolean, by: Identified): Promise<void>
  /** Nothing but a known person's press starts the workflow for `ms`; 0 ends that. */
  snoozeWorkflow(id: number, ms: number, by: Identified): Promise<HoldsView>
  snoozeCamera(id: string, ms: number, by: Identified): Promise<HoldsView>
}

/** What somebody who is bound to some cameras may look at. */
export interface ScopeApi {
  camera(scope: CameraScope, cameraId: string): boolean
  /** A workflow, one that was removed too. */
  workflow(scope: CameraScope, id: number): boolean
  run(scope: CameraScope, id: number): boolean
  /** A question to people: by its run. */
  question(scope: CameraScope, id: number): boolean
  /** A picture: by its run. */
  media(scope: CameraScope, id: number): boolean
  /** Why a workflow reaches beyond these cameras, in half a sentence; null: it does not, and may be changed. */
  beyond(scope: CameraScope, id: number): string | null
}

/** What the floors above may ask of the engine. */
export interface EngineApi {
  readonly holds: HoldsApi
  readonly scope: ScopeApi
  readonly upkeep: { view(): UpkeepView }
  /** Offers an event to every workflow that its trigger fits (or to the one it is addressed to). */
  submit(event: IncomingEvent): Promise<Admission[]>
  workflows(): WorkflowView[]
  workflow(idOrSlug: string): WorkflowView | null
  /** What those that are On or in Test listen for; those that stand still as well: they go on by themselves. */
  listensFor(): ListensFor[]
  workflowYaml(id: number): string | null
  /** What the version in force does at this site, and what came of it in Test; null: its file is not understood. */
  outline(id: number): (Outline & { test: TestHistory }) | null
  /** The workflow whose webhook bears this secret id. */
  byHook(hookId: string): WorkflowView | null
  /** Checks and stores a file: a new workflow, or a new version of `id`. Nothing is stored when it has errors. */
  save(yaml: string, options?: SaveOptions): Promise<Saved>
  /** Makes a new version with the text of an old one. Throws `version_unknown`, `changed_meanwhile`. */
  rollback(
    id: number,
    version: number,
    by: string,
    options?: Pick<SaveOptions, 'reach' | 'over'>,
  ): Promise<Saved>
  /** Marks, versions and what they say. */
  readonly learning: LearningApi
  /**
   * `by`: who switches it, for the audit. On its way to On its cases are run: `CasesFlipped` (409) where one that was
   * right comes out differently, unless that is `confirmed`; `changed_meanwhile` (409) where it was saved meanwhile.
   */
  setState(
    id: number,
    state: 'off' | 'test' | 'on',
    by?: string,
    options?: { confirmed?: boolean; reach?: Reach },
  ): Promise<Switched>
  /** Takes a workflow away: Off, in no list, its webhook dead. Its runs stay. Throws `workflow_unknown`. */
  remove(id: number, by?: string): Promise<void>
  runs(filter: RunFilter): RunSummary[]
  run(id: number): RunView | null
  /**
   * What was answered to the message that started a run, behind the answer of that `seq` (-1: all). Throws
   * `run_unknown` (404), `not_a_message` (409).
   */
  replies(run: number, after?: number): RepliesView
  /** Resolves when the run has ended or waits for longer than `ms`. */
  settled(id: number, ms: number): Promise<RunView>
  /** Has a run end before its time; `always` still runs. Throws `run_unknown` or `run_ended`. */
  stopRun(id: number, by?: string): Promise<RunView>
  /** A person says whether an `unknown` move happened; `step` says which, where there is more than one. */
  settle(id: number, happened: boolean, by: string, step?: number): Promise<RunView>
  /** Questions to people: open ones, the most urgent first, and unless `open` the latest that were decided. */
  approvals(filter?: { open?: boolean }): ApprovalView[]
  /** Answers a question; the first answer counts. */
  answer(id: number, reply: string, by: Identified): Promise<ApprovalView>
  /** Who did what, newest first. */
  audit(filter: { before?: number; limit: number }): AuditView[]
  /** What people were told, newest first. */
  notices(filter: NoticeFilter): NoticeView[]
  /** What was shed since the start, by reason. */
  shed(): Record<string, number>
}
