import { GatehouseError, iso } from '../core/index.ts'
import type { RunRow, StepRow, Store } from '../store/index.ts'
import type { RepliesView, ReplyView } from './types.ts'

/** Answers at a time; each is a text of 16,000 characters at most. */
const MOST = 20

/** What was answered to a message so far, behind the answer of that `seq`. Throws `not_a_message`. */
export function repliesOf(
  { id, status, state, triggerKind, endedAt }: RunRow,
  after: number,
  { steps }: Store,
): RepliesView {
  if (triggerKind !== 'message')
    throw new GatehouseError('not_a_message', `Run ${id} was not started by a message.`, { status: 409 })
  const rows = steps.ofKind(id, 'reply', { after, limit: MOST + 1 })
  const page = rows.slice(0, MOST)
  const ended = endedAt !== null && rows.length <= MOST
  const came = (how: StepRow['status']) => page.filter(row => row.status === how).map(replyView)
  const replies = came('done')
  const none = ended && after < 0 && !replies.length
  return {
    run: id,
    status,
    ended,
    replies,
    would_have: came('would_have'),
    note: state === 'test' ? IN_TEST : none ? without(status) : null,
  }
}

const IN_TEST = 'The workflow is in Test: nothing is sent, what it would have answered is in would_have.'

/** What is answered is the step's input, and stands nowhere else. */
function replyView({ seq, inputs, startedAt }: StepRow): ReplyView {
  return { seq, text: typeof inputs === 'string' ? inputs : '', at: iso(startedAt) }
}

function without(status: RunRow['status']): string {
  if (status === 'done') return 'The run has ended without an answer.'
  return status === 'stopped'
    ? 'The run was stopped before it answered.'
    : 'The run failed before it answered: its trace says why.'
}
