/**
 * Notices as a list that people read: filtered by kind and severity, page by page; moves of which nobody knows are
 * found at once. What the box itself has to say belongs to no run.
 */
export const SCHEMA_NOTICES = `
CREATE TABLE notices_2 (
  id INTEGER PRIMARY KEY,
  run_id INTEGER REFERENCES workflow_runs (id),
  step_id INTEGER REFERENCES workflow_run_steps (id),
  kind TEXT NOT NULL,
  severity TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  audience TEXT,
  camera_id TEXT,
  media_id INTEGER REFERENCES media (id),
  created_at INTEGER NOT NULL
);
INSERT INTO notices_2 SELECT id, run_id, step_id, kind, coalesce(severity, 'medium'), title, body, audience,
  camera_id, media_id, created_at FROM notices;
DROP TABLE notices;
ALTER TABLE notices_2 RENAME TO notices;
CREATE INDEX notices_of_run ON notices (run_id);
CREATE INDEX notices_by_kind ON notices (kind, severity, id);
CREATE INDEX intents_unknown ON intents (run_id) WHERE status = 'unknown';
`
