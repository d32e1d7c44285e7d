import { tool } from '../../kind.ts'

export const searchHistory = tool('search_history', 'read', 'Searches earlier decisions and runs.')
