/** What a run may move is settled when it is admitted, so that a site file loosened since makes no message of a move. */
export const SCHEMA_MOVES = 'ALTER TABLE workflow_runs ADD COLUMN moves TEXT;'
