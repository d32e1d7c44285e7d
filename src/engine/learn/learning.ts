import { GatehouseError } from '../../core/index.ts'
import type { RunRow } from '../../store/index.ts'
import type { LearningApi } from '../api.ts'
import { note as audited } from '../audit.ts'
import type { EngineDeps } from '../ports.ts'
import type { CasesOutcome, RunView, TryOutcome, VersionView, WorkflowTrust } from '../types.ts'
import { knownRun, runView } from '../view.ts'
import type { Loaded, Workflows } from '../workflows.ts'
import { accuracyOf, inForce, shares } from './accuracy.ts'
import { Alone } from './alone.ts'
import { CaseSet } from './case-set.ts'
import { flips } from './flipped.ts'
import { gateNeeds, gateOf } from './gate.ts'
import { decidedIn, judgeOf, judgesOf } from './judge.ts'
import { type Shadow, Shadows } from './shadow.ts'
import { suggestSure } from './suggest.ts'
import { Trials } from './trial.ts'

/** A note longer than this is a letter. */
const LONGEST_NOTE = 1_000
/** Versions that are listed. */
const MOST_VERSIONS = 200
/** Marked decisions that a threshold is learnt from: the newest. */
const MOST_PAIRS = 2_000

/** What learning asks of the engine, and tells it. */
export interface LearningHooks {
  onMarked(run: RunRow, loaded: Loaded | undefined): void
  /** Makes another engine, to try things in. */
  another: (deps: EngineDeps) => Shadow
}

/** What people say of runs, and what follows from it. */
export class Learning implements LearningApi {
  readonly #deps: EngineDeps
  readonly #workflows: Workflows
  readonly #hooks: LearningHooks
  readonly #trials: Trials
  readonly set: CaseSet

  constructor(deps: EngineDeps, workflows: Workflows, hooks: LearningHooks) {
    this.#deps = deps
    this.#workflows = workflows
    this.#hooks = hooks
    const parts = { deps, workflows, shadows: new Shadows(deps, hooks.another), alone: new Alone() }
    this.set = new CaseSet(parts)
    this.#trials = new Trials(parts, this.set)
  }

  try(what: Parameters<LearningApi['try']>[0]): Promise<TryOutcome> {
    return this.#trials.run(what)
  }

  async cases(workflowId: number): Promise<CasesOutcome> {
    return this.#trials.cases(workflowId, this.#inForce(workflowId))
  }

  /** Whether there is anything to hold the version in force against. */
  hasCases(workflowId: number): boolean {
    return this.#trials.hasCases(workflowId, this.#inForce(workflowId))
  }

  /** Whether nothing that was right comes out differently by a file; false too where that cannot be found out now. */
  async holds(workflowId: number, yaml: string): Promise<boolean> {
    if (!this.#trials.hasCases(workflowId, yaml)) return true
    return this.#trials.cases(workflowId, yaml).then(
      outcome => !flips(outcome),
      () => false,
    )
  }

  /** Says whether an ended run was right. A person's later word replaces the earlier one. */
  async mark(id: number, right: boolean, note: string | null, by: string): Promise<RunView> {
    const { store, clock } = this.#deps
    const run = knownRun(id, store)
    if (run.endedAt === null)
      throw new GatehouseError('run_not_ended', `Run ${id} is going on: mark it when it has ended.`, {
        status: 409,
      })
    if (note !== null && note.length > LONGEST_NOTE)
      throw new GatehouseError('note_too_long', `Keep the note to ${LONGEST_NOTE} characters.`, {
        status: 422,
      })
    const at = clock.now()
    // Before the commit: a version that is not understood must not take others' rows with it.
    const decided = this.#decided(run)
    await store.write(() => {
      store.marks.add({ runId: id, author: by, correct: right, note, at })
      audited(right ? 'run.right' : 'run.wrong', `run ${id}`, by, this.#deps)
      // Where people disagree, it was not right.
      const correct = inForce(store.marks.ofRun(id)).every(mark => mark.correct)
      for (const { step, judge, confidence } of decided)
        store.marks.judge({
          stepId: step.id,
          workflowId: run.workflowId,
          versionId: run.versionId,
          judge,
          path: step.path,
          confidence,
          correct,
          startedAt: step.startedAt,
        })
    })
    this.#hooks.onMarked(run, this.#workflows.get(run.workflowId))
    return runView(run, store)
  }

  /** Newest first. */
  versions(workflowId: number): VersionView[] {
    const { store } = this.#deps
    const { row } = this.#workflows.known(workflowId)
    const tallies = store.marks.tallies(workflowId)
    return store.versions.ofWorkflow(workflowId, MOST_VERSIONS).map(version => ({
      number: version.number,
      at: new Date(version.createdAt).toISOString(),
      by: version.author,
      change: version.number === 1 ? 'first version' : version.change,
      in_force: version.id === row.versionId,
      accuracy: tallies
        .filter(({ versionId }) => versionId === version.id)
        .map(({ path, marks, right }) => ({ path, marks, right, ...shares(right, marks) })),
    }))
  }

  /** The file of a version. Throws `version_unknown`. */
  yamlOf(workflowId: number, number: number): string {
    const version = this.#deps.store.versions.numbered(workflowId, number)
    if (!version)
      throw new GatehouseError('version_unknown', `There is no version ${number} of it.`, { status: 404 })
    return version.yaml
  }

  /** What each AI step of the version in force has shown, what that allows, and which `sure` it speaks for. */
  trust(workflowId: number): WorkflowTrust {
    const { store } = this.#deps
    const { program } = this.#workflows.known(workflowId)
    const gate = this.#deps.site().alertGate
    const judges = program ? judgesOf(program.workflow) : []
    return {
      above_medium: gateNeeds(gate),
      steps: accuracyOf(workflowId, judges, store).map((accuracy, i) => {
        const { open, why } = gateOf(accuracy, gate)
        const pairs = store.marks.pairs(workflowId, judges[i]?.judge ?? '', MOST_PAIRS)
        return {
          ...accuracy,
          alerts: { most: open ? 'high' : 'medium', why },
          suggested: suggestSure(pairs, gate.low),
        }
      }),
    }
  }

  #inForce(workflowId: number): string {
    const { row } = this.#workflows.known(workflowId)
    return this.#deps.store.versions.get(row.versionId)?.yaml ?? ''
  }

  /** The AI steps of a run that came to a decision: unsure ones did not. */
  #decided(run: RunRow) {
    const { store } = this.#deps
    const loaded = this.#workflows.get(run.workflowId)
    if (!loaded) return []
    const program = this.#workflows.programOf(run.versionId, loaded)
    return store.steps.ofRun(run.id).flatMap(step => {
      const decided = step.status === 'done' ? decidedIn(step.kind, step) : null
      const node = decided && program.byPath.get(step.path)
      return node ? [{ step, judge: judgeOf(node.step), confidence: decided.confidence }] : []
    })
  }
}
