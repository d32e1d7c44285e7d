/**
 * What the box learns: who wrote a version and what changed, what people say of runs, and the site's rules. What
 * was learnt outlives its run: `marks` and `judged` keep no foreign keys.
 */
export const SCHEMA_LEARN = `
ALTER TABLE workflow_versions ADD COLUMN author TEXT;
ALTER TABLE workflow_versions ADD COLUMN change TEXT;
ALTER TABLE workflow_versions ADD COLUMN was_on INTEGER NOT NULL DEFAULT 0;
UPDATE workflow_versions SET was_on = 1 WHERE id IN (SELECT version_id FROM workflows WHERE state = 'on');
ALTER TABLE workflow_runs ADD COLUMN site_version INTEGER NOT NULL DEFAULT 0;

CREATE TABLE marks (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL,
  author TEXT NOT NULL,
  correct INTEGER NOT NULL CHECK (correct IN (0, 1)),
  note TEXT,
  at INTEGER NOT NULL,
  replaced_at INTEGER
);
CREATE INDEX marks_of_run ON marks (run_id);

CREATE TABLE judged (
  step_id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL,
  version_id INTEGER NOT NULL,
  judge TEXT NOT NULL,
  path TEXT NOT NULL,
  confidence REAL,
  correct INTEGER NOT NULL,
  started_at INTEGER NOT NULL
);
CREATE INDEX judged_of_workflow ON judged (workflow_id, judge);

CREATE TABLE site_rules_versions (
  version INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  rules TEXT,
  facts TEXT,
  author TEXT NOT NULL,
  change TEXT NOT NULL,
  at INTEGER NOT NULL
);

CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  author TEXT NOT NULL,
  action TEXT NOT NULL,
  target TEXT NOT NULL,
  before TEXT,
  after TEXT
);
`
