import type { TriggerFunction } from '../types.ts'

/** Somebody wrote to this workflow; who that was, and by which channel, is as they say it. */
export const message: TriggerFunction = {
  matches(_params, { kind, payload }) {
    const text = (name: string) => (typeof payload[name] === 'string' ? payload[name] : '')
    if (kind !== 'message' || text('message').trim() === '') return null
    return Object.assign(Object.create(null), {
      message: text('message'),
      from: text('from'),
      channel: text('channel'),
    })
  },
}
