import type { Effect, SiteView } from '../contract/index.ts'
import { Site } from './site.ts'
import type { Camera } from './types.ts'

/**
 * The site of a run without a site: every role is a camera that bears just this role, and no name of a person
 * or list is missing (the lists are empty). Destinations count as what the file declares them to be, and none has an
 * address, so nothing leaves.
 */
class SelfMappedSite extends Site {
  readonly destinationClasses = new Map<string, Effect>()

  /** There is nothing for rules to lie over. */
  override withRules(): Site {
    return this
  }

  override camera(id: string): Camera {
    return {
      id,
      name: id,
      roles: [id],
      source: null,
      stream: null,
      ptz: null,
      zones: new Map(),
      masks: new Map(),
      from: 'file' as const,
    }
  }

  override camerasWithRole(role: string): readonly string[] {
    return [role]
  }

  override list(): readonly string[] {
    return []
  }

  override view(slug?: string): SiteView {
    const any = new Everything()
    const { zones: _, ...view } = super.view(slug)
    return {
      ...view,
      roles: any,
      lists: any,
      people: any,
      personRoles: any,
      destinations: this.destinationClasses,
    }
  }
}

/** `destinations`: what the file that is run declares of its own. */
export function selfMapped(destinations: Readonly<Record<string, Effect>> = {}): Site {
  const site = new SelfMappedSite()
  for (const [name, effect] of Object.entries(destinations)) site.destinationClasses.set(name, effect)
  return site
}

/** Has every name. */
class Everything extends Set<string> {
  override has(): boolean {
    return true
  }
}
