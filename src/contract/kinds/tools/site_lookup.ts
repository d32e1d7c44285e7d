import { tool } from '../../kind.ts'

export const siteLookup = tool(
  'site_lookup',
  'read',
  'Looks something up in the facts and lists of the site.',
)
