import { cut, GatehouseError } from '../../../core/index.ts'
import type { ApprovalView } from '../../../engine/index.ts'
import { BY, type Entity, type Room } from '../entity.ts'

/** Questions that have buttons at the same time, and that are told in the count's attributes. */
const MOST = 20
const MOST_NAME = 100

/** How many questions wait for people, and a button for each reply to each of them. */
export function questions(room: Room): Entity[] {
  const open = room.engine.approvals({ open: true })
  const shown = open.slice(0, MOST)
  const count: Entity = {
    key: 'open_questions',
    platform: 'sensor',
    name: 'Open questions',
    icon: 'mdi:account-question',
    config: { state_class: 'measurement' },
    state: String(open.length),
    attributes: { questions: shown.map(tellingOf) },
  }
  const buttons = room.setting.may.has('answer') ? shown.flatMap(question => repliesOf(question, room)) : []
  return [count, ...buttons]
}

function tellingOf({ id, workflow, camera_name, message, replies, deadline, run }: ApprovalView) {
  return {
    ...{ id, run, workflow: workflow.name, camera: camera_name, until: deadline },
    message: cut(message, 300),
    replies: replies.map(({ reply }) => reply),
  }
}

/** A reply that moves something is named with where it can be given: nobody knows who presses here. */
function repliesOf({ id, workflow, replies }: ApprovalView, { engine }: Room): Entity[] {
  return replies.map(({ reply, effects }, index) => {
    const moves = effects.some(({ effect }) => effect === 'move')
    const name = cut(`${workflow.name}: ${reply}`, MOST_NAME)
    return {
      key: `question_${id}_reply_${index}`,
      platform: 'button',
      name: moves ? `${name} (moves something: answer on the page)` : name,
      icon: moves ? 'mdi:lock' : 'mdi:reply',
      command: async payload => {
        if (payload !== 'PRESS') throw new GatehouseError('bad_request', 'A button takes PRESS.')
        await engine.answer(id, reply, BY)
        return cut(`${workflow.name}: answered “${reply}”`, MOST_NAME)
      },
    }
  })
}
