/** How far each channel has told what people are told: the last notice that it has. */
export const SCHEMA_FEEDS = `
CREATE TABLE feeds (
  name TEXT PRIMARY KEY,
  cursor INTEGER NOT NULL
) WITHOUT ROWID;
`
