/** Workflows that had no room for an event which others took: JSON list of ids; null: none. */
export const SCHEMA_OWED = 'ALTER TABLE events ADD COLUMN owed TEXT;'
