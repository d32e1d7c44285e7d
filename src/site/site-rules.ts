import { createHash } from 'node:crypto'
import { type Clock, GatehouseError, type Log, messageOf } from '../core/index.ts'
import type { SiteRulesRow, Store } from '../store/index.ts'
import { parseCsv, printCsv } from './csv.ts'
import { changesBetween, listChange, ruleChanges } from './rule-changes.ts'
import { assertSecrets } from './rule-secrets.ts'
import { entriesOf, invalid, type Rules, readRules } from './rules.ts'
import { rulesView } from './rules-view.ts'
import type { Site } from './site.ts'
import type {
  KnownApp,
  ListEntry,
  ListOutcome,
  RulePart,
  RulesVersion,
  RulesVersionView,
  RulesView,
  SiteRulesApi,
} from './types.ts'

/** Versions that are listed. */
const MOST_VERSIONS = 100
const MOST_LISTS = 64

export interface SiteRulesDeps {
  store: Store
  clock: Clock
  log: Log
  /** The site file, which is not changed from here. */
  base: Site
  /** The site is another one now: what depends on it is looked at again. */
  onChange: () => Promise<void>
  /** A person has set something, and it is in force: what runs by the site goes by it. */
  onSet?: () => Promise<void>
  /** The apps that a site's NVR has; null: nobody told. */
  apps?(site: Site): readonly KnownApp[] | null
}

/** The site as it is in force: the site file with what was set on this box over it. Every change is a version. */
export class SiteRules implements SiteRulesApi {
  readonly #deps: SiteRulesDeps
  #base: Site
  #site: Site
  #rules: Rules = {}
  #version = 0
  #hash = ''
  /** One change at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(deps: SiteRulesDeps) {
    this.#deps = deps
    this.#base = deps.base
    this.#site = deps.base
  }

  get site(): Site {
    return this.#site
  }

  /** Reads what was set. A site file that says something else than before is a new version, too. */
  start(): Promise<void> {
    return this.#take(this.#base)
  }

  /** The site file says something else: that is in force from now on, with what was set on this box over it. */
  rebase(base: Site): Promise<void> {
    const change = this.#last.then(async () => {
      await this.#take(base)
      await this.#deps.onChange()
    })
    this.#last = change.catch(() => undefined)
    return change
  }

  /** What is known of apps is something else now. That is no version: nobody here changed a rule. */
  appsChanged(): Promise<void> {
    const change = this.#last.then(async () => {
      this.#site = this.#withApps(this.#site)
      await this.#deps.onChange()
    })
    this.#last = change.catch(() => undefined)
    return change
  }

  #withApps(site: Site): Site {
    return site.withApps(this.#deps.apps?.(site) ?? null)
  }

  /** Goes by a site file, with what was set over it; where that is a new version, only once it is stored. */
  async #take(base: Site): Promise<void> {
    const { store } = this.#deps
    const row = store.siteRules.current()
    const version = row?.version ?? 0
    const { rules, site } = this.#over(base, row?.rules ?? '{}', version)
    const hash = hashOf(site)
    if (row?.hash === hash) {
      this.#go(base, { rules, site, version, hash })
      return
    }
    await this.#store(base, rules, 'site.yaml', row ? 'the site file' : 'first start', row?.hash ?? null)
  }

  /** What was set on this box over a site file; where it does not fit any more, the file alone. */
  #over(base: Site, stored: string, version: number): { rules: Rules; site: Site } {
    const { rules, site, misfit } = overlaid(base, stored, version)
    if (misfit !== null) {
      const why = 'the rules set on this box do not fit the site file: it counts alone'
      this.#deps.log.error({ error: misfit }, why)
    }
    return { rules, site }
  }

  #go(base: Site, now: { rules: Rules; site: Site; version: number; hash: string }): void {
    this.#base = base
    this.#rules = now.rules
    this.#site = this.#withApps(now.site)
    this.#version = now.version
    this.#hash = now.hash
  }

  view(): RulesView {
    const row = this.#deps.store.siteRules.current()
    return rulesView({ base: this.#base, site: this.#site, rules: this.#rules, version: this.#version, row })
  }

  versions() {
    return this.#deps.store.siteRules.list(MOST_VERSIONS).map(versionOf)
  }

  version(version: number): RulesVersionView | null {
    const { siteRules } = this.#deps.store
    const row = siteRules.get(version)
    if (!row) return null
    const before = siteRules.before(version)
    const was = before ? storedRules(before) : {}
    const is = storedRules(row)
    return {
      ...versionOf(row),
      changes: was && is && changesBetween(was, is),
      back: is && changesBetween(this.#rules, is),
    }
  }

  takeBack(version: number, by: string, expected: number | null): Promise<RulesView> {
    return this.#change(by, expected, () => {
      const row = this.#deps.store.siteRules.get(version)
      const rules = row && storedRules(row)
      if (rules) return rules
      const message = `What was set in version ${version} is not kept any more: set it anew.`
      throw new GatehouseError('not_kept', message, { status: 404 })
    })
  }

  /** The site as it would be with one more camera, or another one in the place of one that was added on the box. */
  siteWith(id: string, camera: unknown): Site {
    const cameras = { ...this.#rules.cameras, [id]: camera }
    const rules = readRules({ ...this.#rules, cameras })
    this.#assert(rules, this.#rules)
    return this.#base.withRules(rules, this.#version).withApps(this.#site.apps)
  }

  /** Sets all that is set on this box anew. `expected`: only if that is still the version in force. */
  async put(data: unknown, by: string, expected: number | null): Promise<RulesView> {
    const rules = readRules(data)
    return this.#change(by, expected, () => rules)
  }

  async putPart(part: RulePart, value: unknown, by: string, expected: number | null): Promise<RulesView> {
    return this.#change(by, expected, ({ [part]: _, ...rules }) =>
      readRules({ ...rules, ...(value !== null && { [part]: value }) }),
    )
  }

  list(name: string): string | null {
    const entries = this.entries(name)
    return entries && printCsv(entries)
  }

  entries(name: string): readonly ListEntry[] | null {
    const set = this.#rules.lists
    if (set && Object.hasOwn(set, name)) return entriesOf(set[name] ?? [])
    return this.#site.list(name)?.map(value => ({ value })) ?? null
  }

  previewList(name: string, csv: string): ListOutcome {
    const { entries, duplicates } = parseCsv(csv)
    const change = listChange(this.entries(name) ?? [], entries)
    return { version: this.#version, entries: entries.length, duplicates, ...change }
  }

  async putEntries(name: string, data: unknown, by: string, expected: number | null) {
    const { lists = {} } = readRules({ lists: { [name]: data } })
    return this.putList(name, printCsv(entriesOf(lists[name] ?? [])), by, expected)
  }

  async putList(name: string, csv: string, by: string, expected: number | null = null) {
    const { entries, duplicates } = parseCsv(csv)
    const list = entries.map((entry: ListEntry) => (entry.note === undefined ? entry.value : entry))
    let change = listChange([], entries)
    const view = await this.#change(by, expected, rules => {
      change = listChange(this.entries(name) ?? [], entries)
      return readRules({ ...rules, lists: { ...rules.lists, [name]: list } })
    })
    return { version: view.version, entries: entries.length, duplicates, ...change }
  }

  async dropList(name: string, by: string, expected: number | null = null) {
    const view = await this.#change(by, expected, rules => {
      const { [name]: list, ...lists } = rules.lists ?? {}
      if (list) return { ...rules, lists }
      const message = `The list ${name} is not set on this box: the site file says what is on it, if anything.`
      throw new GatehouseError('not_set', message, { status: 404 })
    })
    return { version: view.version }
  }

  /** Whoever goes by the site is told outside of the turn: they may have something to say of the rules themselves. */
  async #change(by: string, expected: number | null, next: (rules: Rules) => Rules): Promise<RulesView> {
    const before = this.#version
    const view = await this.#inTurn(by, expected, next)
    if (view.version !== before) await this.#deps.onSet?.()
    return view
  }

  #inTurn(by: string, expected: number | null, next: (rules: Rules) => Rules): Promise<RulesView> {
    const change = this.#last.then(async () => {
      if (expected !== null && expected !== this.#version) {
        const message = `The rules are at version ${this.#version} by now: read them again and repeat your change.`
        throw new GatehouseError('rules_changed', message, { status: 409 })
      }
      const before = this.#rules
      const rules = next(before)
      if (Object.keys(rules.lists ?? {}).length > MOST_LISTS)
        throw invalid(`There are more than ${MOST_LISTS} lists: put some together.`)
      this.#assert(rules, before)
      const said = ruleChanges(before, rules)
      if (said === 'nothing') return this.view()
      await this.#store(this.#base, rules, by, said, this.#hash)
      await this.#deps.onChange()
      return this.view()
    })
    this.#last = change.catch(() => undefined)
    return change
  }

  /** Throws `rules_invalid` for what may not take the place of what was set. */
  #assert(rules: Rules, before: Rules): void {
    const { siteRules } = this.#deps.store
    assertCameras(rules, before, this.#base)
    const camerasSaying = (text: string) => siteRules.camerasSaying(text)
    assertSecrets(rules, { rules: before, base: this.#base, camerasSaying })
  }

  /** Writes a version, and only then goes by it. Versions go on from the newest that is stored. */
  async #store(base: Site, rules: Rules, author: string, change: string, before: string | null) {
    const { store, clock } = this.#deps
    const version = (store.siteRules.current()?.version ?? 0) + 1
    const site = base.withRules(rules, version)
    const hash = hashOf(site)
    const at = clock.now()
    await store.write(() => {
      store.siteRules.add({
        version,
        hash,
        rules: JSON.stringify(rules),
        facts: site.facts,
        author,
        change,
        at,
      })
      store.audit.add({ at, author, action: 'site-rules', target: change, before, after: hash })
    })
    this.#go(base, { rules, site, version, hash })
  }
}

const versionOf = ({ version, author, change, at, facts }: Omit<SiteRulesRow, 'rules'>): RulesVersion => ({
  ...{ version, by: author, change, at: new Date(at).toISOString(), facts },
})

/** What was set in a version; null: its text is no longer kept, or not understood. */
function storedRules({ rules }: SiteRulesRow): Rules | null {
  try {
    return rules === null ? null : readRules(JSON.parse(rules))
  } catch {
    return null
  }
}

/** What is set is of cameras that there are, and none of the site file's is made anew. Throws `rules_invalid`. */
function assertCameras(rules: Rules, before: Rules, base: Site): void {
  const { cameras = {} } = rules
  for (const id of Object.keys(cameras))
    if (base.camera(id) && !Object.hasOwn(before.cameras ?? {}, id))
      throw invalid(`cameras: ${id} is a camera of the site file: change it there, or choose another id.`)
  // What was set of one that is gone waits for it: masks above all.
  for (const key of ['camera_roles', 'zones', 'masks'] as const)
    for (const id of Object.keys(rules[key] ?? {}))
      if (!base.camera(id) && !Object.hasOwn(cameras, id) && !Object.hasOwn(before[key] ?? {}, id))
        throw invalid(`${key}: ${id} is no camera of this site.`)
}

function hashOf(site: Site): string {
  return createHash('sha256').update(JSON.stringify(site.rules)).digest('hex')
}

/** The site as it is in force by what is stored of its rules, for those who have no store of their own. */
export function siteInForce(base: Site, stored: { rules: string | null; version: number } | null): Site {
  return stored ? overlaid(base, stored.rules ?? '{}', stored.version).site : base
}

/** Rules over a site file; where they do not fit it any more, the file with the masks alone, and why. */
function overlaid(
  base: Site,
  stored: string,
  version: number,
): { rules: Rules; site: Site; misfit: string | null } {
  try {
    const rules = readRules(JSON.parse(stored))
    return { rules, site: base.withRules(rules, version), misfit: null }
  } catch (error) {
    const rules = masksIn(stored)
    return { rules, site: base.withRules(rules, version), misfit: messageOf(error) }
  }
}

/** The masks alone, also out of rules of which a newer release wrote what this one does not know. */
function masksIn(stored: string): Rules {
  try {
    const { masks } = JSON.parse(stored) as Rules
    return masks ? readRules({ masks }) : {}
  } catch {
    return {}
  }
}
