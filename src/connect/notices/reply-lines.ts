import { cut } from '../../core/index.ts'
import type { ApprovalView } from '../../engine/index.ts'

/** As much of what is sent as stands in a message; the page shows more. */
const MOST_DETAIL = 80

/** The replies of a question, one line each: what the box found behind it, as it was stated when it was asked. */
export function answerLines(replies: ApprovalView['replies']): string[] {
  return replies.map(({ reply, effects }) => {
    const done = effects.map(effectText).join('; ')
    return done ? `• ${reply}: ${done}` : `• ${reply}`
  })
}

function effectText({
  effect,
  action,
  target,
  detail,
  certain,
}: ApprovalView['replies'][number]['effects'][number]): string {
  const verb = effect === 'move' ? ['moves', 'may move'] : ['tells', 'may tell']
  const what = [`${verb[certain ? 0 : 1]} ${action.replaceAll('_', ' ')}`, target].filter(Boolean).join(' ')
  return detail === null ? what : `${what} (${cut(detail, MOST_DETAIL)})`
}
