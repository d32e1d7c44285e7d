import { jsonSchema, registry } from '../contract/index.ts'
import type { Clock } from '../core/index.ts'
import { type BoxSpeed, check, type Language } from '../engine/index.ts'
import type { World } from '../kinds/index.ts'
import { appsJson, type Site } from '../site/index.ts'
import type { Authoring } from '../web/index.ts'
import { Drafter } from './drafting.ts'
import type { ModelGates } from './model-gates.ts'

export interface AuthoringOptions {
  site: () => Site
  language: Language
  speed: () => BoxSpeed | null
  gates: ModelGates
  world: World
  clock: Clock
}

/** Checks files against this site and box, drafts them, and describes what files may hold. */
export function authoring({ site, language, speed, gates, world, clock }: AuthoringOptions): Authoring {
  const checked = (yaml: string) => {
    const { model, barred = null } = language
    return check(yaml, { site: site(), speed: speed(), world, ...(model && { investigate: barred }) })
  }
  const drafter = new Drafter({
    site,
    language: () => language.model,
    barred: () => gates.why('draft'),
    investigates: () => language.model !== null && !language.barred,
    check: checked,
    world,
    clock,
  })
  return {
    validate: yaml => checked(yaml).problems,
    draft: (sentence, signal) => drafter.draft(sentence, signal),
    // What a model has to pass first, and whether it has; what the apps of the site's NVR do.
    registry: () => ({ ...registry(), offered: gates.view(), apps: appsJson(site()) }),
    schema: jsonSchema,
  }
}
