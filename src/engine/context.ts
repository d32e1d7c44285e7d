import type { SiteView } from '../contract/index.ts'
import type { ConditionContext, SitePort } from '../kinds/index.ts'
import type { Run } from './run.ts'

/** What a condition sees of a run. `startedAt`: when the step that asks began. */
export function conditionContext(
  run: Run,
  site: SitePort,
  mode: string,
  now: number,
  startedAt: number,
): ConditionContext {
  return {
    values: run.values,
    now,
    site,
    mode,
    identities: run.program.identities,
    cameraId: run.facts.cameraId,
    succeeded: step => run.succeeded(step),
    startedAt,
  }
}

const views = new WeakMap<SitePort, Map<string, SiteView>>()

/** What the proof knows of the site, for one workflow; made once, because a site does not change. */
export function siteView(site: SitePort, slug: string): SiteView {
  const known = views.get(site) ?? new Map<string, SiteView>()
  views.set(site, known)
  const view = known.get(slug) ?? site.view(slug)
  known.set(slug, view)
  return view
}
