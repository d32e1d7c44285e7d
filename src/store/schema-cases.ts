/**
 * The cases of workflows: what happened, whole, and the answer that a person says is right. They outlive the runs that
 * they were made from, and so do their pictures: `run_id` refers to what may be gone.
 */
export const SCHEMA_CASES = `
CREATE TABLE cases (
  id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL REFERENCES workflows (id),
  run_id INTEGER NOT NULL,
  camera_id TEXT,
  event TEXT NOT NULL,
  judged TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  expected TEXT NOT NULL,
  note TEXT,
  author TEXT NOT NULL,
  at INTEGER NOT NULL,
  decision TEXT,
  reason TEXT,
  judges TEXT,
  version INTEGER,
  tried_at INTEGER,
  solved INTEGER NOT NULL CHECK (solved IN (0, 1))
);
CREATE UNIQUE INDEX cases_of_workflow ON cases (workflow_id, run_id);

CREATE TABLE case_pictures (
  id INTEGER PRIMARY KEY,
  case_id INTEGER NOT NULL REFERENCES cases (id),
  hash TEXT NOT NULL,
  type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  source TEXT NOT NULL,
  taken_at INTEGER,
  shot_at INTEGER
);
CREATE INDEX case_pictures_of_case ON case_pictures (case_id);
CREATE INDEX case_pictures_by_hash ON case_pictures (hash);
`
