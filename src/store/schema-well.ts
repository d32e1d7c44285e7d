/**
 * What came of the last test of each channel, destination and camera; and what is not well, as far as people were told
 * of it or are about to be.
 */
export const SCHEMA_WELL = `
CREATE TABLE site_tests (
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (kind, name)
) WITHOUT ROWID;
CREATE TABLE ailments (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;
`
