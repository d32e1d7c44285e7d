/**
 * Version 1 of the database. Integer keys and few indexes: each index is one more page to write per commit.
 * `steps.id` is run id × 65536 + seq, so that the steps of a run are a range of the table itself. Times are
 * epoch ms; JSON columns hold NULL for null and for what is empty.
 */
export const SCHEMA_1 = `
CREATE TABLE meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE workflows (
  id INTEGER PRIMARY KEY,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('off', 'test', 'on')),
  attention TEXT,
  version_id INTEGER REFERENCES workflow_versions (id),
  hook_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
);
CREATE UNIQUE INDEX workflows_hook ON workflows (hook_id) WHERE hook_id IS NOT NULL;

CREATE TABLE workflow_versions (
  id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL REFERENCES workflows (id),
  number INTEGER NOT NULL,
  yaml TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (workflow_id, number)
);

CREATE TABLE workflow_runs (
  id INTEGER PRIMARY KEY,
  workflow_id INTEGER NOT NULL REFERENCES workflows (id),
  version_id INTEGER NOT NULL REFERENCES workflow_versions (id),
  state TEXT NOT NULL,
  status TEXT NOT NULL,
  trigger_kind TEXT NOT NULL,
  event TEXT,
  camera_id TEXT,
  "values" TEXT,
  chain TEXT,
  correlation_id TEXT,
  seen_again INTEGER NOT NULL DEFAULT 0,
  taint TEXT,
  late_ms INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE INDEX runs_of_workflow ON workflow_runs (workflow_id, started_at);
CREATE INDEX runs_unfinished ON workflow_runs (id) WHERE ended_at IS NULL;

CREATE TABLE workflow_run_steps (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT,
  status TEXT NOT NULL,
  outcome TEXT,
  inputs TEXT,
  result TEXT,
  ai TEXT,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
);

CREATE TABLE workflow_tool_calls (
  id INTEGER PRIMARY KEY,
  step_id INTEGER NOT NULL REFERENCES workflow_run_steps (id),
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  args_asked TEXT,
  result TEXT,
  status TEXT NOT NULL,
  mode TEXT,
  started_at INTEGER NOT NULL,
  ms REAL NOT NULL,
  tokens_in INTEGER,
  tokens_out INTEGER
);
CREATE INDEX tool_calls_of_step ON workflow_tool_calls (step_id);

CREATE TABLE intents (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id),
  step_id INTEGER NOT NULL REFERENCES workflow_run_steps (id),
  kind TEXT NOT NULL,
  params TEXT,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
);
CREATE INDEX intents_of_run ON intents (run_id);
CREATE INDEX intents_open ON intents (id) WHERE ended_at IS NULL;

CREATE TABLE due (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  run_id INTEGER REFERENCES workflow_runs (id),
  step_id INTEGER REFERENCES workflow_run_steps (id),
  payload TEXT
);
CREATE INDEX due_at ON due (at);

CREATE TABLE events (
  id INTEGER PRIMARY KEY,
  event_id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  schema TEXT,
  camera_id TEXT,
  at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  payload TEXT
);

CREATE TABLE media (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id),
  step_id INTEGER REFERENCES workflow_run_steps (id),
  hash TEXT NOT NULL,
  type TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  source TEXT NOT NULL,
  taken_at INTEGER,
  created_at INTEGER NOT NULL
);
CREATE INDEX media_of_run ON media (run_id);
CREATE INDEX media_by_hash ON media (hash);

CREATE TABLE notices (
  id INTEGER PRIMARY KEY,
  run_id INTEGER NOT NULL REFERENCES workflow_runs (id),
  step_id INTEGER NOT NULL REFERENCES workflow_run_steps (id),
  kind TEXT NOT NULL,
  severity TEXT,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  audience TEXT,
  camera_id TEXT,
  media_id INTEGER REFERENCES media (id),
  created_at INTEGER NOT NULL
);
CREATE INDEX notices_of_run ON notices (run_id);
`
