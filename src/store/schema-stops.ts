/** When a stop was asked for that has not taken effect yet: it survives the process that was asked. */
export const SCHEMA_STOPS = 'ALTER TABLE workflow_runs ADD COLUMN stop_at INTEGER;'
