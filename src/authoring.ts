import { jsonSchema, registry } from './contract/index.ts'
import { check } from './engine/index.ts'
import type { Site } from './site/index.ts'
import type { Authoring } from './web/index.ts'

/** Checks files against this site, and describes what files may hold. */
export function authoring(site: () => Site): Authoring {
  return {
    validate: yaml => check(yaml, { site: site() }).problems,
    registry,
    schema: jsonSchema,
  }
}
