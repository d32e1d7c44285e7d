import { GatehouseError } from '../../core/index.ts'
import type { ToolFunction } from '../types.ts'
import { short } from './words.ts'

/** Makes the question; whoever runs the investigation asks it and waits. */
export const askPerson: ToolFunction = {
  async run({ question, replies, role }) {
    const all = (Array.isArray(replies) ? replies : []).map(reply => short(String(reply), 40)).filter(Boolean)
    const distinct = [...new Map(all.map(reply => [reply.toLowerCase(), reply])).values()]
    if (distinct.length < 2) throw new GatehouseError('bad_question', 'give two different replies at least')
    const asked = short(String(question), 200)
    return { ask: { message: asked, replies: distinct, role: typeof role === 'string' ? role : null } }
  },
}
