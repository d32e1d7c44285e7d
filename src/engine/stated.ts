import { nodePath } from '../contract/index.ts'
import { cut, type JsonValue } from '../core/index.ts'
import type { SitePort } from '../kinds/index.ts'
import type { ApprovalEffect } from '../store/index.ts'
import { isObject } from './json.ts'
import { effectOf } from './moves.ts'
import type { Node } from './program.ts'
import type { Run } from './run.ts'

/** As much of what is sent as stands beside a reply. */
const MOST_DETAIL = 200

/**
 * What a reply sets going outside of the box, as this site classes it now. Said by the engine, whatever the file
 * says of itself; a question inside of the path speaks for its own replies.
 */
export function statedOf(run: Run, asks: Node, reply: string, site: SitePort): ApprovalEffect[] {
  const found: ApprovalEffect[] = []
  const { unreachable } = site.view(run.loaded.row.slug)
  const visit = (node: Node, outcome: string, certain: boolean) => {
    node.step.paths[outcome]?.forEach((_, index) => {
      const inner = run.program.byPath.get(nodePath(node.path, outcome, index))
      if (!inner) return
      const effect = effectOf(run, inner, site)
      if (effect !== 'read') {
        const params = inner.render(run.values)
        const to = isObject(params) && typeof params.to === 'string' ? params.to : ''
        const why = inner.step.kind === 'webhook' ? unreachable?.get(to) : undefined
        const action = said(inner.step.kind, params)
        const cannot = why === undefined ? {} : { detail: `cannot be made: ${why}` }
        found.push({ path: inner.path, effect, certain, ...action, ...cannot })
      }
      if (inner.step.kind === 'ask_person') return
      for (const name of inner.paths.keys()) visit(inner, name, false)
    })
  }
  visit(asks, reply, true)
  return found
}

/** An action in the words of its parameters: what it is done to, and what is sent. */
export function said(
  action: string,
  params: JsonValue,
): Pick<ApprovalEffect, 'action' | 'target' | 'detail'> {
  const given = isObject(params) ? params : {}
  const text = (value: JsonValue | undefined): string =>
    typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
  const parts = (target: string, ...details: (JsonValue | undefined)[]) => {
    const detail = details.map(text).filter(Boolean).join(' ')
    return { action, target, detail: cut(detail, MOST_DETAIL) || null }
  }
  switch (action) {
    case 'webhook':
    case 'mqtt':
      return parts(text(given.to), given.method, given.json)
    case 'home_assistant':
      return parts(text(given.service), given.target, given.data)
    case 'app':
      return parts([given.id, given.action].map(text).join(': '), given.params)
    case 'site_mode':
      return parts(text(given.to))
    case 'ptz_preset':
      return parts(text(given.camera), given.preset)
    case 'notify':
      return parts(Array.isArray(given.who) ? given.who.map(text).join(', ') : text(given.who), given.message)
    case 'alert':
      return parts(text(given.severity), given.title)
    default:
      return parts(typeof params === 'string' ? params : text(given.camera))
  }
}
