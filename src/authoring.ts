import { jsonSchema, registry } from './contract/index.ts'
import { type BoxSpeed, check, type Language } from './engine/index.ts'
import type { Site } from './site/index.ts'
import type { Authoring } from './web/index.ts'

/** Checks files against this site and box, and describes what files may hold. */
export function authoring(site: () => Site, language: Language, speed: () => BoxSpeed | null): Authoring {
  return {
    validate: yaml =>
      check(yaml, { site: site(), language: language.model !== null, speed: speed() }).problems,
    registry,
    schema: jsonSchema,
  }
}
