import { reread } from '../../contract/index.ts'
import { GatehouseError, iso } from '../../core/index.ts'
import type { CaseRow } from '../../store/index.ts'
import { note as audited } from '../audit.ts'
import { isObject } from '../json.ts'
import type { EngineDeps } from '../ports.ts'
import type { CaseSetApi, CasesWatcher, CaseTried, CaseView, OwnOutcome, TakenFile } from '../types-cases.ts'
import { knownRun, runView } from '../view.ts'
import type { Workflows } from '../workflows.ts'
import type { Alone } from './alone.ts'
import { filesOf } from './case-files.ts'
import {
  eventOf,
  type JudgedThen,
  judgedStep,
  judgedThen,
  keptEvent,
  optionsOf,
  picturesOf,
} from './case-of-run.ts'
import { judgesOf } from './judge.ts'
import { replay } from './replay.ts'
import type { Shadows } from './shadow.ts'
import { caseCame, NOT_RUN } from './template.ts'

/** Of one workflow: more are not tried in a reasonable time. */
const MOST_CASES = 100
const MOST_PICTURES = 20
const LONGEST_NOTE = 1_000
/** All cases of one try, where somebody watches. */
const WATCHED_MS = 1_800_000

export interface CaseSetParts {
  deps: EngineDeps
  workflows: Workflows
  shadows: Shadows
  alone: Alone
}

/** The cases of workflows: made by people out of runs, tried before a workflow goes On, and taken along. */
export class CaseSet implements CaseSetApi {
  readonly #parts: CaseSetParts

  constructor(parts: CaseSetParts) {
    this.#parts = parts
  }

  async add(runId: number, expected: string, note: string | null, by: string): Promise<CaseView> {
    const { deps, workflows } = this.#parts
    const { store, clock, media } = deps
    const run = knownRun(runId, store)
    const loaded = workflows.known(run.workflowId)
    if (run.endedAt === null)
      throw refused('run_not_ended', `Run ${runId} is going on: make it a case when it has ended.`)
    if (note !== null && note.length > LONGEST_NOTE)
      throw refused('note_too_long', `Keep the note to ${LONGEST_NOTE} characters.`, 422)
    const view = runView(run, store)
    const judged = judgedStep(view)
    const options = optionsOf(judged)
    if (!options.includes(expected))
      throw refused('not_an_answer', `“${expected}” is none of its decisions: ${options.join(', ')}.`, 422)
    const program = workflows.programOf(run.versionId, loaded)
    const node = program.byPath.get(judged.path)
    if (!node) throw refused('no_decision', `What decided in run ${runId} is not in its file any more.`)
    const pictures = picturesOf(run, judged, store).slice(0, MOST_PICTURES)
    for (const { hash } of pictures)
      if (!(await media.read(hash)))
        throw refused('no_picture', `The pictures of run ${runId} are not kept any more.`)
    const right = judged.outcome === expected
    const said = { expected, note, author: by, at: clock.now(), solved: right }
    const id = await store.write(
      () => {
        // It may have gone while its pictures were looked at.
        knownRun(runId, store)
        audited('case.add', `run ${runId}`, by, deps)
        const there = store.cases.ofRun(run.workflowId, runId)
        if (there) {
          store.cases.answer(there.id, { ...said, solved: there.decision === expected })
          return there.id
        }
        if (store.cases.countOf(run.workflowId) >= MOST_CASES)
          throw refused('cases_full', `It has ${MOST_CASES} cases: remove one that says little.`)
        const row = {
          ...said,
          workflowId: run.workflowId,
          runId,
          cameraId: run.cameraId,
          event: keptEvent(run),
          judged: judgedThen(view, run, judged, node.step) as unknown as CaseRow['judged'],
          startedAt: run.startedAt,
          decision: judged.outcome,
          reason: judged.reason,
          judges: judgesKey(program.workflow),
          version: view.version,
          triedAt: run.endedAt,
        }
        return store.cases.add(row, pictures)
      },
      { canFail: true },
    )
    return this.#view(this.#known(run.workflowId, id))
  }

  list(workflowId: number): CaseView[] {
    this.#parts.workflows.known(workflowId)
    return this.#parts.deps.store.cases.ofWorkflow(workflowId).map(row => this.#view(row))
  }

  get(workflowId: number, id: number): CaseView | null {
    const row = this.#parts.deps.store.cases.get(workflowId, id)
    return row && this.#view(row)
  }

  async remove(workflowId: number, id: number, by: string): Promise<void> {
    const { deps } = this.#parts
    const { store, media } = deps
    this.#known(workflowId, id)
    const pictures = store.cases.pictures(id)
    await store.write(() => {
      audited('case.remove', `case ${id} of workflow ${workflowId}`, by, deps)
      store.cases.remove(id)
    })
    for (const { hash } of pictures) if (!store.retention.isWanted(hash)) await media.remove(hash)
  }

  async picture(workflowId: number, id: number): ReturnType<CaseSetApi['picture']> {
    const { store, media } = this.#parts.deps
    const [shown] = store.cases.pictures(this.#known(workflowId, id).id)
    const bytes = shown && (await media.read(shown.hash))
    if (!bytes) return null
    const camera = /^camera (.+)$/.exec(shown.source)?.[1] ?? null
    return { bytes, type: shown.type, camera }
  }

  async tryAll(workflowId: number, watcher: CasesWatcher): Promise<OwnOutcome> {
    const { deps, workflows, alone } = this.#parts
    const { row } = workflows.known(workflowId)
    const yaml = deps.store.versions.get(row.versionId)?.yaml ?? ''
    return alone.run(async () => {
      const rows = deps.store.cases.ofWorkflow(workflowId)
      watcher.begins({ of: rows.length })
      const until = deps.clock.now() + WATCHED_MS
      return this.tried(rows, yaml, () => until - deps.clock.now(), watcher)
    })
  }

  files(...[workflowId, sees, facts]: Parameters<CaseSetApi['files']>): AsyncIterable<TakenFile> {
    const { deps, workflows } = this.#parts
    const { store, media } = deps
    const { row } = workflows.known(workflowId)
    const cases = store.cases.ofWorkflow(workflowId).filter(each => sees(each.cameraId))
    const bytesOf = (id: number) => {
      const [shown] = store.cases.pictures(id)
      return shown ? media.read(shown.hash) : Promise.resolve(null)
    }
    const told = deps.site().facts
    return filesOf(row.slug, cases, facts || !told ? told : null, bytesOf)
  }

  /** Those that a file may make something else of than what is known to be right. */
  open(workflowId: number, yaml: string): CaseRow[] {
    const workflow = reread(yaml)
    const judges = workflow && judgesKey(workflow)
    return this.#parts.deps.store.cases
      .ofWorkflow(workflowId)
      .filter(row => row.decision !== row.expected || row.judges !== judges)
  }

  /** What a file makes of them; of the version in force it is kept. The caller sees to it that nothing else is tried. */
  async tried(
    rows: readonly CaseRow[],
    yaml: string,
    left: () => number,
    watcher?: Pick<CasesWatcher, 'signal' | 'tried'>,
  ): Promise<OwnOutcome> {
    const tried: CaseTried[] = []
    for (const row of rows) {
      if (watcher?.signal.aborted) break
      const one = await this.#one(row, yaml, left(), watcher?.signal)
      if (watcher?.signal.aborted) break
      tried.push(one)
      await this.#keep(row, one, yaml)
      watcher?.tried(one)
    }
    return { tried, flipped: tried.filter(({ flipped }) => flipped).length }
  }

  async #one(row: CaseRow, yaml: string, left: number, signal?: AbortSignal): Promise<CaseTried> {
    const { deps, shadows } = this.#parts
    const happened = {
      event: eventOf(row.event),
      startedAt: row.startedAt,
      pictures: deps.store.cases.pictures(row.id),
    }
    const came =
      left <= 0
        ? null
        : await replay(happened, yaml, { deps, shadows }, { left, signal }).catch((error: unknown) => {
            if (error instanceof GatehouseError) return { code: error.code, message: error.message }
            throw error
          })
    const judged = caseCame(came, { name: `case ${row.id}`, expected: row.expected })
    const right = judged.flipped === null ? null : !judged.flipped
    const { id, cameraId: camera } = row
    return {
      ...judged,
      ...{ id, camera, run: this.#runOf(row), at: iso(row.startedAt), right },
      flipped: right === null ? null : row.solved && !right,
    }
  }

  async #keep(row: CaseRow, { decision, reason, right, kept_out: out }: CaseTried, yaml: string) {
    const { deps, workflows } = this.#parts
    const { store, clock } = deps
    const { number, row: workflow } = workflows.known(row.workflowId)
    const parsed = reread(yaml)
    if (store.versions.get(workflow.versionId)?.yaml !== yaml || out?.code === NOT_RUN || !parsed) return
    const result = {
      ...{ decision, reason: reason ?? out?.message ?? null, judges: judgesKey(parsed) },
      ...{ version: number, triedAt: clock.now(), solved: right === true },
    }
    await store.write(() => store.cases.came(row.id, result))
  }

  #known(workflowId: number, id: number): CaseRow {
    const { deps, workflows } = this.#parts
    workflows.known(workflowId)
    const row = deps.store.cases.get(workflowId, id)
    if (!row) throw refused('case_unknown', `It has no case ${id}.`, 404)
    return row
  }

  #runOf({ runId }: CaseRow): number | null {
    return this.#parts.deps.store.runs.get(runId) ? runId : null
  }

  #view(row: CaseRow): CaseView {
    const { id, startedAt, cameraId: camera, expected, note, author: by, at, decision, reason, version } = row
    const { params } = row.judged as unknown as JudgedThen
    return {
      ...{ id, run: this.#runOf(row), at: iso(startedAt), camera, expected, note, by, added_at: iso(at) },
      options: optionsOf({ inputs: isObject(params) ? params : null }),
      pictures: this.#parts.deps.store.cases.pictures(id).length,
      last:
        row.triedAt === null
          ? null
          : { decision, reason, right: decision === expected, version, at: iso(row.triedAt) },
    }
  }
}

/** By which AI steps a file decides. */
const judgesKey = (workflow: Parameters<typeof judgesOf>[0]): string =>
  judgesOf(workflow)
    .map(({ judge }) => judge)
    .sort()
    .join(' ')

const refused = (code: string, message: string, status = 409) => new GatehouseError(code, message, { status })
