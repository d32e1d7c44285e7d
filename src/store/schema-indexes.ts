/**
 * What is looked for often is found by an index, and no index is written for what is not. Due rows hang on their
 * step's number alone (a run's are a range of it), without foreign keys: a deleted run or step would be looked for row
 * by row. Runs of a workflow come in the order of their ids, whatever the clock said; open intents are looked for by
 * run only.
 */
export const SCHEMA_INDEXES = `
CREATE TABLE new_due (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  run_id INTEGER,
  step_id INTEGER,
  payload TEXT
);
INSERT INTO new_due
  SELECT id, at, kind, run_id, coalesce(step_id, run_id * 65536), payload FROM due;
DROP TABLE due;
ALTER TABLE new_due RENAME TO due;
CREATE INDEX due_at ON due (at);
CREATE INDEX due_of_step ON due (step_id) WHERE step_id IS NOT NULL;
CREATE INDEX due_of_box ON due (kind) WHERE step_id IS NULL;

DROP INDEX runs_of_workflow;
CREATE INDEX runs_of_workflow ON workflow_runs (workflow_id);
DROP INDEX intents_open;
`
