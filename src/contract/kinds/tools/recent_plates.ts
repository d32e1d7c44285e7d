import { tool } from '../../kind.ts'

export const recentPlates = tool('recent_plates', 'read', 'Lists the plates that were read lately.')
