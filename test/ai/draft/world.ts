import { type Drafting, draftWorkflow, type LanguageModel } from '../../../src/ai/index.ts'
import { eventSchemas, registry, type SiteView } from '../../../src/contract/index.ts'
import { check } from '../../../src/engine/index.ts'
import { Site } from '../../../src/site/index.ts'

/** A site with what drafts speak of. */
export const site = Site.load(
  `
cameras: { gate: {}, yard: { roles: [yard, store] } }
people: { ann: { roles: [guard] }, bob: { roles: [owner] } }
lists: { residents: [AB12CDE] }
destinations:
  gate-opener: { url: "http://192.168.1.5/gate", class: move }
  chat: { url: "http://192.168.1.5/chat", class: tell }
`,
  'site.yaml',
)
export const view: SiteView = site.view('')

export function draft(language: LanguageModel, sentence: string, over: Partial<Drafting> = {}) {
  return draftWorkflow({
    sentence,
    site: view,
    facts: '',
    language,
    registry: registry(),
    events: eventSchemas(),
    check: yaml => check(yaml, { site }),
    now: () => Date.now(),
    timeoutMs: 100_000,
    ...over,
  })
}
