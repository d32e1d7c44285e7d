import { GatehouseError, type Identified } from '../core/index.ts'
import type { ApprovalRow } from '../store/index.ts'
import { type Admitted, type Refusal, refusal } from './admit.ts'
import { identifies } from './answered.ts'
import { approvalView } from './approval-view.ts'
import { note } from './audit.ts'
import { calledAbout } from './call-came.ts'
import { identityOf } from './identity.ts'
import type { EngineDeps } from './ports.ts'
import type { ApprovalView } from './types.ts'

/** Questions that are listed at once: all that may be open, or the latest that were decided. */
const MOST_LISTED = { open: 500, decided: 50 }

/** Questions to people: which there are, and their answers. The step that asks is `steps/ask_person.ts`. */
export class Approvals {
  readonly #deps: EngineDeps
  readonly #resume: (run: number) => void

  /** `resume`: has the run that waits go on. */
  constructor(deps: EngineDeps, resume: (run: number) => void) {
    this.#deps = deps
    this.#resume = resume
  }

  /** Open ones, the most urgent first; unless `open`, behind them the latest that were decided. */
  list(open: boolean): ApprovalView[] {
    const { approvals } = this.#deps.store
    const rows = approvals.open(MOST_LISTED.open)
    return [...rows, ...(open ? [] : approvals.decided(MOST_LISTED.decided))].map(row => this.#view(row))
  }

  /** A workflow stands still, goes on or was switched: what is asked by it says so. */
  workflowChanged(workflowId: number): void {
    const { store, bus } = this.#deps
    for (const row of store.approvals.open(MOST_LISTED.open))
      if (store.runs.get(row.runId)?.workflowId === workflowId) bus.publish('approval', this.#view(row))
  }

  /**
   * Somebody answers. Throws `approval_unknown`, `bad_reply`, `not_identified`, and `already_decided` with who
   * decided first.
   */
  async answer(id: number, reply: string, { by: how, name }: Identified): Promise<ApprovalView> {
    const { store, clock, bus } = this.#deps
    const row = this.#known(id)
    const chosen = row.replies.find(each => each.reply === reply)
    if (!chosen) {
      const replies = row.replies.map(each => `“${each.reply}”`).join(', ')
      throw new GatehouseError('bad_reply', `Answer with one of ${replies}.`, { status: 422 })
    }
    if (chosen.effects.some(({ effect }) => effect === 'move') && !identifies(how, name)) {
      const message = `“${reply}” moves something: answer where you are signed in.`
      throw new GatehouseError('not_identified', message, { status: 403 })
    }
    const now = clock.now()
    const first = await store.write(() => {
      const end = { status: 'answered', answer: reply, answeredBy: name, identifiedBy: how } as const
      if (!store.approvals.decide(id, end, now)) return false
      note('question.answer', `question ${id} of run ${row.runId}: ${reply}`, name, this.#deps)
      // The step is woken now, also by a restart that comes between.
      const due = store.due.ofRun(row.runId).find(({ stepId }) => stepId === row.stepId)
      if (due) store.due.move(due.id, now, due.payload)
      return true
    })
    if (!first) throw new GatehouseError('already_decided', this.#decided(id), { status: 409 })
    const view = this.#view(this.#known(id))
    bus.publish('approval', view)
    this.#resume(row.runId)
    return view
  }

  /**
   * A trigger that comes while the run before it may wait for a person: it joins that question, or that call, if it is
   * about the same. Null: that run waits for nobody.
   */
  async join(run: number, { loaded, program, event, values }: Admitted): Promise<Refusal | null> {
    const { store, bus } = this.#deps
    const row = store.approvals.openOf(run)
    const about = row ? row.identity : calledAbout(run, store)
    if (about === null) return null
    const { row: workflow, limits } = loaded
    if (identityOf(program.identities, event.cameraId, name => values[name]) !== about) {
      const each = limits.oneAtATime === 'plate' ? '' : ' To ask about each, set one_at_a_time to plate.'
      const per = `one run at a time per ${limits.oneAtATime}`
      const message = `Run ${run} of ${workflow.name} waits for an answer about another one, ${per}.${each}`
      return refusal('busy', message)
    }
    const joined = await store.write(() => {
      store.runs.seenAgain(run)
      return row !== null && store.approvals.seenAgain(row.id)
    })
    if (row && joined) bus.publish('approval', this.#view(this.#known(row.id)))
    return refusal('joined', `Run ${run} of ${workflow.name} asks about this already: it was counted there.`)
  }

  #decided(id: number): string {
    const { status, answer, answeredBy, decidedAt } = this.#known(id)
    const at = decidedAt === null ? '' : ` at ${new Date(decidedAt).toISOString()}`
    switch (status) {
      case 'answered':
        return `${answeredBy} answered “${answer}”${at}: the first answer counts.`
      case 'stopped':
        return `The run was stopped${at}, before anybody answered.`
      case 'open':
      case 'expired':
        return `The time is up: nobody had answered${answer === null ? '' : `, so “${answer}” counts`}.`
    }
  }

  #known(id: number): ApprovalRow {
    const row = this.#deps.store.approvals.get(id)
    if (!row) throw new GatehouseError('approval_unknown', `There is no question ${id}.`, { status: 404 })
    return row
  }

  #view(row: ApprovalRow): ApprovalView {
    const { store, site, clock } = this.#deps
    return approvalView(row, store, site(), clock.now())
  }
}
