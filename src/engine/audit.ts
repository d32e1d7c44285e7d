import { iso } from '../core/index.ts'
import type { AuditRow, Store } from '../store/index.ts'
import type { EngineDeps } from './ports.ts'
import type { AuditView } from './types.ts'

/** Writes down, inside of a commit, who did what; `by` absent: the program did, nobody by name. */
export function note(
  action: string,
  target: string,
  by: string | undefined,
  { store, clock }: Pick<EngineDeps, 'store' | 'clock'>,
): void {
  const at = clock.now()
  store.audit.add({ at, author: by ?? 'this box', action, target, before: null, after: null })
}

/** A page of what was written down, newest first. */
export function auditOf(filter: { before?: number; limit: number }, store: Store): AuditView[] {
  const view = ({ id, at, author: by, action, target }: AuditRow): AuditView => ({
    id,
    at: iso(at),
    by,
    action,
    target,
  })
  return store.audit.list(filter).map(view)
}
