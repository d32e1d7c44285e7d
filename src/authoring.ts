import { jsonSchema, registry } from './contract/index.ts'
import { check, type Language } from './engine/index.ts'
import type { Site } from './site/index.ts'
import type { Authoring } from './web/index.ts'

/** Checks files against this site, and describes what files may hold. */
export function authoring(site: () => Site, language: Language): Authoring {
  return {
    validate: yaml => check(yaml, { site: site(), language: language.model !== null }).problems,
    registry,
    schema: jsonSchema,
  }
}
