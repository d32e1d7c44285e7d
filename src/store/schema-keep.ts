/**
 * What keeps a box in order over the years. Runs are deleted with everything that hangs on them: `step_id` of
 * intents, pictures and notices refers to nothing any more, since a deleted step would be looked for in each of
 * those tables, row by row (their runs are indexed).
 */
export const SCHEMA_KEEP = `
ALTER TABLE workflows ADD COLUMN attention_of TEXT;

CREATE TABLE snoozes (
  kind TEXT NOT NULL CHECK (kind IN ('workflow', 'camera')),
  target TEXT NOT NULL,
  until INTEGER NOT NULL,
  by TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (kind, target)
) WITHOUT ROWID;

CREATE TABLE new_intents (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id),
  step_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  params TEXT,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
);
INSERT INTO new_intents SELECT id, run_id, step_id, kind, params, status, created_at, ended_at FROM intents;
DROP TABLE intents;
ALTER TABLE new_intents RENAME TO intents;
CREATE INDEX intents_of_run ON intents (run_id);
CREATE INDEX intents_open ON intents (id) WHERE ended_at IS NULL;
CREATE INDEX intents_unknown ON intents (run_id) WHERE status = 'unknown';

CREATE TABLE new_media (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id),
  step_id INTEGER,
  hash TEXT NOT NULL,
  type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  source TEXT NOT NULL,
  taken_at INTEGER,
  created_at INTEGER NOT NULL
);
INSERT INTO new_media
  SELECT id, run_id, step_id, hash, type, bytes, source, taken_at, created_at FROM media;
DROP TABLE media;
ALTER TABLE new_media RENAME TO media;
CREATE INDEX media_of_run ON media (run_id);
CREATE INDEX media_by_hash ON media (hash);

CREATE TABLE new_notices (
  id INTEGER PRIMARY KEY,
  run_id INTEGER REFERENCES workflow_runs (id),
  step_id INTEGER,
  kind TEXT NOT NULL,
  severity TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  audience TEXT,
  camera_id TEXT,
  media_id INTEGER,
  created_at INTEGER NOT NULL
);
INSERT INTO new_notices
  SELECT id, run_id, step_id, kind, severity, title, body, audience, camera_id, media_id, created_at FROM notices;
DROP TABLE notices;
ALTER TABLE new_notices RENAME TO notices;
CREATE INDEX notices_of_run ON notices (run_id);
CREATE INDEX notices_by_kind ON notices (kind, severity, id);
`
