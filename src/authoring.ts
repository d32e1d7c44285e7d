import { jsonSchema, registry } from './contract/index.ts'
import { type BoxSpeed, check, type Language } from './engine/index.ts'
import type { ModelGates } from './model-gates.ts'
import type { Site } from './site/index.ts'
import type { Authoring } from './web/index.ts'

/** Checks files against this site and box, and describes what files may hold. */
export function authoring(
  site: () => Site,
  language: Language,
  speed: () => BoxSpeed | null,
  gates: ModelGates,
): Authoring {
  return {
    validate: yaml => {
      const { model, barred = null } = language
      const about = { site: site(), speed: speed(), ...(model && { investigate: barred }) }
      return check(yaml, about).problems
    },
    // What a model has to pass first, and whether it has.
    registry: () => ({ ...registry(), offered: gates.view() }),
    schema: jsonSchema,
  }
}
