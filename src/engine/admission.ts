/** What became of an event at one workflow. */
export interface Admission {
  workflow: string
  /** Null where a guard or a limit kept it out. */
  run: number | null
  reason: { code: RefusalCode; message: string } | null
  /** What is odd about the event, though it counts: it names a camera that the site does not have. */
  note?: string
}

/**
 * Why no run began. `no_match`: addressed to a workflow whose trigger it does not fit; `queued`: it waits its
 * turn; `joined`: it is about what a run asks people already, and was counted there.
 */
export type RefusalCode =
  | 'no_match'
  | 'off'
  | 'needs_attention'
  | 'stale'
  | 'seen'
  | 'chain'
  | 'own_alert'
  | 'guard'
  | 'busy'
  | 'joined'
  | 'cooldown'
  | 'per_hour'
  | 'queue_full'
  | 'snoozed'
  | 'disk_low'
  | 'out_of_scope'
  | 'queued'
