/** Questions to people. Each is decided once: by an answer, by its deadline, or by a stop of its run. */
export const APPROVALS = `
CREATE TABLE workflow_approvals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id),
  step_id INTEGER NOT NULL UNIQUE REFERENCES workflow_run_steps (id),
  who TEXT,
  message TEXT NOT NULL,
  parts TEXT,
  replies TEXT NOT NULL,
  default_reply TEXT,
  identity TEXT NOT NULL,
  media TEXT,
  status TEXT NOT NULL CHECK (status IN ('open', 'answered', 'expired', 'stopped')),
  answer TEXT,
  answered_by TEXT,
  identified_by TEXT,
  seen_again INTEGER NOT NULL DEFAULT 0,
  asked_at INTEGER NOT NULL,
  deadline INTEGER NOT NULL,
  decided_at INTEGER
);
CREATE INDEX approvals_open ON workflow_approvals (deadline) WHERE status = 'open';
CREATE INDEX approvals_of_run ON workflow_approvals (run_id);
`
