import type { Severity } from '../../contract/index.ts'
import type { ActionFunction } from '../types.ts'
import { cut } from './cut.ts'
import { cappedFrom, milder } from './severity.ts'

interface Params {
  severity: Severity
  title: string
  description?: string
}

/** Tells everybody: an alert on the page, and on every channel that carries alerts. */
export const alert: ActionFunction = {
  rowsOnly: true,
  run(params, ctx) {
    const { severity: asked, title, description = '' } = params as Params
    const severity = milder(asked, ctx.severest)
    return {
      receipt: { severity, ...cappedFrom(asked, severity, ctx.capped) },
      notice: {
        kind: 'alert',
        severity,
        title: cut(title, 200),
        body: cut(description, 4_000),
        audience: null,
      },
    }
  },
}
