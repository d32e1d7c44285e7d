import type { WorkflowRow } from '../store/index.ts'
import type { WorkflowRef } from './types.ts'

/** How a workflow is named beside what belongs to it; `row` null: it is not known. */
export function workflowRef(
  id: number,
  row: Pick<WorkflowRow, 'slug' | 'name'> | null | undefined,
): WorkflowRef {
  return { id, slug: row?.slug ?? '', name: row?.name ?? '' }
}
