import { tool } from '../../kind.ts'

export const searchFootage = tool('search_footage', 'read', 'Searches recordings by what they show.')
