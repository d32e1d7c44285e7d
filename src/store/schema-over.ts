/**
 * What the box said of a workflow that stands still is over once it goes on: which workflow a notice speaks of, and
 * since when it does not hold any more.
 */
export const SCHEMA_OVER = `
ALTER TABLE notices ADD COLUMN about INTEGER;
ALTER TABLE notices ADD COLUMN over_at INTEGER;
CREATE INDEX notices_standing ON notices (about) WHERE about IS NOT NULL AND over_at IS NULL;
`
