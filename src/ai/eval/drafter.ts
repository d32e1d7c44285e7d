import { eventSchemas, parse, registry, type SiteView, TOOL_KINDS } from '../../contract/index.ts'
import { draftWorkflow } from '../draft/index.ts'
import type { LanguageModel } from '../language.ts'
import type { DraftCase } from './case-schema.ts'
import type { DraftPorts } from './run-draft.ts'

/** A whole draft with its repairs: on a small box a model writes a few tokens a second. */
const DRAFT_MS = 10 * 60_000

/** Drafts as the box does it, for the site of each case, and out of all kinds that there are. */
export function drafterWith(
  language: LanguageModel,
  { now, signal }: { now(): number; signal?: AbortSignal },
): NonNullable<DraftPorts['draft']> {
  return async (sentence, names) => {
    const site = viewOf(names)
    const made = await draftWorkflow({
      ...{ sentence, site, language, now, timeoutMs: DRAFT_MS },
      facts: names.facts ?? '',
      registry: registry(),
      events: eventSchemas(),
      check: yaml => parse(yaml, { site }),
      ...(signal && { signal }),
    })
    if (!made.ok) throw new Error(made.message)
    const { modelCalls, tokensIn, tokensOut } = made.usage
    return { yaml: made.yaml, modelCalls, tokensIn, tokensOut }
  }
}

/** The site that a case says there is, and nothing else. */
export function viewOf({
  cameras = [],
  lists = [],
  roles = [],
  destinations = {},
}: DraftCase['site']): SiteView {
  return {
    roles: new Set(cameras),
    lists: new Set(lists),
    people: new Set(),
    personRoles: new Set(roles),
    destinations: new Map(Object.entries(destinations)),
    apps: new Map(),
    tools: new Set(TOOL_KINDS),
    plainAlertSources: new Set(),
    trustedWebhook: false,
    informingServices: new Set(),
    guardedCameras: new Set(),
    plateConfidence: 0.9,
  }
}
