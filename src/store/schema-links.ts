/**
 * By which somebody answers one question, and no longer than that is open; gone with it. Stored as what they are checked
 * against, never as themselves.
 */
export const SCHEMA_LINKS = `
CREATE TABLE answer_links (
  hash TEXT PRIMARY KEY,
  approval_id INTEGER NOT NULL REFERENCES workflow_approvals (id) ON DELETE CASCADE,
  person TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX answer_links_of_approval ON answer_links (approval_id);
`
