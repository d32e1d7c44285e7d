import type { Clock } from '../core/index.ts'
import type { SiteModePort } from '../kinds/index.ts'
import type { Site } from '../site/index.ts'
import type { Store } from '../store/index.ts'

/** The site's mode for whoever sets it outside of a run, where nothing else would say who that was. */
export function auditedMode({
  mode,
  site,
  store,
  clock,
}: {
  mode: SiteModePort
  site: () => Site
  store: Store
  clock: Clock
}) {
  return {
    get: () => mode.get(),
    get modes(): readonly string[] {
      return site().modes
    },
    get keptBy() {
      return site().nvr?.siteMode ?? ('box' as const)
    },
    async set(to: string, by: string): Promise<void> {
      const before = mode.get()
      await mode.set(to, { reason: `set by ${by}` })
      const change = { author: by, action: 'site.mode', target: 'site', before, after: to }
      await store.write(() => store.audit.add({ at: clock.now(), ...change }))
    },
  }
}
