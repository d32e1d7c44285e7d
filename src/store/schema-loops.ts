/**
 * Loops: of which item a step was, and events that loops go over. Only those whose payload is kept are in the
 * index, so that the others cost no page more than before.
 */
export const SCHEMA_LOOPS = `
ALTER TABLE workflow_run_steps ADD COLUMN item TEXT;
CREATE INDEX events_kept ON events (schema, at) WHERE payload IS NOT NULL;
`
