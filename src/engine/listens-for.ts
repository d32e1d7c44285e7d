import { schemasOf } from './memory.ts'
import type { ListensFor } from './types.ts'
import { workflowRef } from './workflow-ref.ts'
import type { Workflows } from './workflows.ts'

/** What the workflows that are On or in Test wait for, and which events they go over later. */
export function listensFor(workflows: Workflows): ListensFor[] {
  return [...workflows.all()].flatMap(({ row, program }) => {
    if (row.state === 'off' || !program) return []
    const { kind, params } = program.workflow.when
    return [{ workflow: workflowRef(row.id, row), kind, params, looks_back: [...schemasOf(program)] }]
  })
}
