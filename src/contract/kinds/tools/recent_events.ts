import { tool } from '../../kind.ts'

export const recentEvents = tool(
  'recent_events',
  'read',
  'Lists the latest events of a camera or of the site.',
)
