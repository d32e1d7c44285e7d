/** Names that mean something of their own in placeholders and paths. */
export const RESERVED_NAMES: ReadonlySet<string> = new Set([
  'trigger',
  'unsure',
  'reason',
  'decision',
  'answer',
  'item',
])
