/** What is missing and what to do, by the code of the problem; each goes on behind "… moves something here, ". */
import type { Unguarded } from './states.ts'

const guard =
  'put it under a reply of an ask_person, or under the then of an if with in_list on a clean identity such as "{plate}"'

export const advice: Readonly<Record<Unguarded, string>> = {
  move_unguarded: `and neither a person nor a plain rule decides it: ${guard}.`,
  move_tainted: `and AI may stand behind what starts this workflow: ${guard}.`,
  move_after_ai: `after AI with no person or plain rule in between: ${guard}.`,
  move_after_branch:
    'behind a branch, whichever path ran: move it into the reply or the then that should decide it.',
  guard_not_identity: `and its conditions name no identity (time, mode, camera, not and elapsed never guard): ${guard}.`,
  guard_not_clean: `and its conditions compare a value that AI or an outsider may have made: ${guard}.`,
  guard_expired:
    'more than 15 minutes after its guard: ask again, or check the identity again, right before it.',
  else_moves: `in an else, which guards nothing: ${guard}.`,
  default_moves:
    'under the default reply, which nobody may have given: make a reply that moves nothing the default.',
  no_answer_moves: 'under no_answer, where no person decided: move it under a reply that somebody gives.',
  always_moves: `in always, which runs whatever happened before: ${guard}.`,
}
