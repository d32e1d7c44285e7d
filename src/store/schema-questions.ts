/** A step that investigates may ask people more than once, one question after the other. */
export const SCHEMA_QUESTIONS = `
CREATE TABLE workflow_approvals_2 (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id),
  step_id INTEGER NOT NULL REFERENCES workflow_run_steps (id),
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
INSERT INTO workflow_approvals_2 SELECT id, run_id, step_id, who, message, parts, replies, default_reply, identity,
  media, status, answer, answered_by, identified_by, seen_again, asked_at, deadline, decided_at
  FROM workflow_approvals;
DELETE FROM sqlite_sequence WHERE name = 'workflow_approvals_2';
INSERT INTO sqlite_sequence (name, seq)
  SELECT 'workflow_approvals_2', seq FROM sqlite_sequence WHERE name = 'workflow_approvals';
DROP TABLE workflow_approvals;
ALTER TABLE workflow_approvals_2 RENAME TO workflow_approvals;
CREATE INDEX approvals_open ON workflow_approvals (deadline) WHERE status = 'open';
CREATE INDEX approvals_of_run ON workflow_approvals (run_id);
CREATE INDEX approvals_of_step ON workflow_approvals (step_id);
`
