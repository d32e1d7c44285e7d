import { exportYaml, jsonSchema, registry, rename, reread } from '../contract/index.ts'
import type { Clock } from '../core/index.ts'
import {
  type BoxSpeed,
  type CameraScope,
  check,
  type Language,
  outlineOf,
  slugOf,
  wantedOf,
} from '../engine/index.ts'
import type { World } from '../kinds/index.ts'
import { appsJson, type Site } from '../site/index.ts'
import type { Authoring } from '../web/index.ts'
import { Drafter } from './drafting.ts'
import type { ModelGates } from './model-gates.ts'
import { namesHere } from './names-here.ts'
import { templatesIn } from './template-cases.ts'

export interface AuthoringOptions {
  site: () => Site
  language: Language
  speed: () => BoxSpeed | null
  gates: ModelGates
  world: World
  clock: Clock
  /** Folder of the templates. */
  templates: string
}

/** Checks files against this site and box, drafts them, and describes what files may hold. */
export function authoring(options: AuthoringOptions): Authoring {
  const { site, language, speed, gates, world, clock } = options
  const checked = (yaml: string, scope: CameraScope) => {
    const { model, barred = null } = language
    return check(yaml, { site: site(), scope, speed: speed(), world, ...(model && { investigate: barred }) })
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
    validate: (yaml, scope) => checked(yaml, scope).problems,
    inspect: (given, scope, names) => {
      const yaml = names ? rename(given, names) : given
      const { workflow, problems } = checked(yaml, scope)
      // What it would do can be said before all of its names are known here.
      const read = workflow ?? reread(yaml)
      if (!read) return { yaml, problems, holds: false, outline: null, wanted: [] }
      const slug = slugOf(read.name, () => false)
      const outline = outlineOf(read, site(), slug, scope)
      return {
        yaml,
        problems,
        holds: Boolean(workflow),
        outline,
        wanted: wantedOf(read, site(), { slug, yaml, scope }),
      }
    },
    portable: (yaml, slug) => {
      const workflow = reread(yaml)
      return workflow ? exportYaml(workflow, site().view(slug)) : null
    },
    templates: () =>
      templatesIn(options.templates).map(({ file, text, workflow: { name, description = null } }) => ({
        ...{ file, name, description, yaml: text },
      })),
    draft: (sentence, signal, scope) => drafter.draft(sentence, signal, scope),
    // What a model has to pass first, and whether it has; what the apps of the site's NVR do.
    registry: () => ({ ...registry(), offered: gates.view(), apps: appsJson(site()) }),
    names: () => namesHere(site()),
    schema: jsonSchema,
  }
}
