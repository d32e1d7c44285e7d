/**
 * Who may do what. Passwords, sessions and tokens are stored as what they are checked against, never as themselves. A
 * user who was removed stays as a row, since workflows and the audit speak of them; the name is free again. `attempts`
 * counts what failed, so that a restart forgives nothing.
 */
export const SCHEMA_ACCESS = `
CREATE TABLE users (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('admin', 'operator', 'viewer')),
  cameras TEXT,
  password TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  removed_at INTEGER
);
CREATE UNIQUE INDEX users_key ON users (key) WHERE removed_at IS NULL;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  hash TEXT NOT NULL UNIQUE,
  former TEXT,
  former_until INTEGER,
  device TEXT,
  created_at INTEGER NOT NULL,
  renewed_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL
);
CREATE INDEX sessions_of_user ON sessions (user_id);
CREATE INDEX sessions_former ON sessions (former) WHERE former IS NOT NULL;

CREATE TABLE tokens (
  id INTEGER PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER,
  expires_at INTEGER
);
CREATE INDEX tokens_of_user ON tokens (user_id);

CREATE TABLE attempts (
  key TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  at INTEGER NOT NULL,
  until INTEGER NOT NULL
) WITHOUT ROWID;

ALTER TABLE workflows ADD COLUMN saved_by INTEGER;
`
