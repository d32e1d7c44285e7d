import { jsonSchema, parse, registry } from './contract/index.ts'
import type { Site } from './site/index.ts'
import type { Authoring } from './web/index.ts'

/** Checks files against this site, and describes what files may hold. */
export function authoring(site: () => Site): Authoring {
  return {
    validate: yaml => parse(yaml, { site: site().view() }).problems,
    registry,
    schema: jsonSchema,
  }
}
