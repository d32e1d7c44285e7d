import type { Decisions } from '../decisions.ts'
import type { Entity, Room } from '../entity.ts'
import { boxEntities } from './box.ts'
import { pause } from './pause.ts'
import { pictureEntity } from './picture.ts'
import { questions } from './questions.ts'
import { siteModeEntity } from './site-mode.ts'
import { workflowButton } from './workflow-button.ts'
import { workflowDecision } from './workflow-decision.ts'
import { workflowRuns } from './workflow-runs.ts'
import { workflowState } from './workflow-state.ts'

/** Workflows that are shown; what a house has is far less. */
const MOST_WORKFLOWS = 200

/** Everything that Home Assistant shows of this box. `status`: the topic that says whether the box is there. */
export function entitiesOf(
  room: Room,
  decisions: Decisions,
  about: { status: string; said: { text: string; at: string } | null },
): Entity[] {
  const workflows = room.engine.workflows().slice(0, MOST_WORKFLOWS)
  return [
    ...boxEntities(room, about),
    siteModeEntity(room),
    pause(room),
    ...questions(room),
    pictureEntity(decisions.pictured),
    ...workflows.flatMap(workflow => [
      ...workflowButton(workflow, room),
      workflowState(workflow, room),
      workflowDecision(workflow, decisions.of(workflow.id)),
      workflowRuns(workflow),
    ]),
  ]
}
