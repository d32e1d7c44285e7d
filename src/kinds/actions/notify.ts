import type { Severity } from '../../contract/index.ts'
import type { ActionFunction } from '../types.ts'
import { cut } from './cut.ts'
import { cappedFrom, milder } from './severity.ts'

interface Params {
  who: string | string[]
  message: string
  severity?: Severity
}

/** Tells the people of a role, or one person: a row on the page until they have a channel. */
export const notify: ActionFunction = {
  rowsOnly: true,
  run(params, ctx) {
    const { who, message, severity: asked = 'low' } = params as Params
    const severity = milder(asked, ctx.severest)
    const audience = Array.isArray(who) ? who.join(', ') : who
    return {
      receipt: { who: audience, severity, ...cappedFrom(asked, severity, ctx.capped) },
      notice: { kind: 'notify', severity, title: cut(message, 1_000), body: '', audience },
    }
  },
}
