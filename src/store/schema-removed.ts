/** A workflow that was removed stays for its runs to name: it is in no list, and nothing starts it. */
export const SCHEMA_REMOVED = 'ALTER TABLE workflows ADD COLUMN removed_at INTEGER;'
