import { nodePath, saidOf } from '../contract/index.ts'
import type { SitePort } from '../kinds/index.ts'
import type { ApprovalEffect } from '../store/index.ts'
import { isObject } from './json.ts'
import { effectOf } from './moves.ts'
import type { Node } from './program.ts'
import type { Run } from './run.ts'

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
        const action = saidOf(inner.step.kind, params)
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
