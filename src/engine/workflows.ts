import { type Problem, parse, reread, type Workflow } from '../contract/index.ts'
import { GatehouseError, mintSecret } from '../core/index.ts'
import { missingIn } from '../kinds/index.ts'
import type { WorkflowRow } from '../store/index.ts'
import { callsOf } from './ai-calls.ts'
import type { SaveOptions } from './api.ts'
import { note } from './audit.ts'
import { check } from './check.ts'
import { changesBetween } from './learn/changes.ts'
import { hasAi, judgesOf } from './learn/judge.ts'
import { Limits } from './limits.ts'
import { LiveRow } from './live-row.ts'
import { publishNotice, tellPeople } from './notices.ts'
import type { EngineDeps } from './ports.ts'
import { compile, type Program } from './program.ts'
import type { ProviderName } from './providers.ts'
import { demandReach, stateOf } from './reach.ts'
import { demandSame } from './saved-over.ts'
import { slugOf } from './slug.ts'

/** A workflow as it stands, with the version that is in force ready to run. */
export interface Loaded {
  row: WorkflowRow
  /** Version number. */
  number: number
  /** Null where the stored file is not understood any more. */
  program: Program | null
  limits: Limits
}

/** More versions than a box has running at once. */
const MOST_OLD_PROGRAMS = 64
/** Versions that were On and are remembered as such when a file is saved: the newest. */
const MOST_KNOWN = 50

/** The workflows of this box: what is stored of them, checked and made ready to run. */
export class Workflows {
  readonly #deps: EngineDeps
  readonly #loaded = new Map<number, Loaded>()
  readonly #rows = new Map<number, LiveRow>()
  /** Slugs and hook ids → workflow id. */
  readonly #names = new Map<string, number>()
  readonly #oldPrograms = new Map<number, Program>()

  constructor(deps: EngineDeps) {
    this.#deps = deps
  }

  /** Reads all workflows and checks them. */
  async start(): Promise<void> {
    for (const row of this.#deps.store.workflows.list()) this.#put(row.id, new LiveRow(row))
    await this.recheckAll()
  }

  /** Checks all workflows again; what stands in the way of one is written to its row. */
  async recheckAll(): Promise<void> {
    for (const loaded of this.all()) await this.#stand(loaded)
  }

  all(): IteratorObject<Loaded> {
    return this.#loaded.values().filter(({ row }) => row.removedAt === null)
  }

  /** One that was removed too: its runs ask for it. */
  get(id: number): Loaded | undefined {
    return this.#loaded.get(id)
  }

  /** The file in force of a workflow that is there. */
  yamlOf(id: number): string | null {
    const loaded = there(this.#loaded.get(id))
    return loaded ? (this.#deps.store.versions.get(loaded.row.versionId)?.yaml ?? null) : null
  }

  /** By id in digits, or by slug. */
  find(idOrSlug: string): Loaded | undefined {
    const id = this.#names.get(`slug ${idOrSlug}`) ?? (/^\d+$/.test(idOrSlug) ? Number(idOrSlug) : 0)
    return there(this.#loaded.get(id))
  }

  byHook(hookId: string): Loaded | undefined {
    return there(this.#loaded.get(this.#names.get(`hook ${hookId}`) ?? 0))
  }

  /** Throws `workflow_unknown`. */
  known(id: number): Loaded {
    const loaded = there(this.#loaded.get(id))
    if (!loaded) throw new GatehouseError('workflow_unknown', `There is no workflow ${id}.`, { status: 404 })
    return loaded
  }

  /** The program of a version that a run began with. Throws when its file is not understood any more. */
  programOf(versionId: number, loaded: Loaded): Program {
    if (loaded.program && loaded.row.versionId === versionId) return loaded.program
    const known = this.#oldPrograms.get(versionId)
    if (known) return known
    const program = this.#compile(this.#deps.store.versions.get(versionId)?.yaml ?? '')
    if (!program)
      throw new GatehouseError('version_broken', 'The version that ran is not understood any more.')
    if (this.#oldPrograms.size >= MOST_OLD_PROGRAMS) this.#oldPrograms.clear()
    this.#oldPrograms.set(versionId, program)
    return program
  }

  /** Whether a workflow that is On would stay so with a file by which AI decides in another way than now. */
  staysOn(id: number, yaml: string): boolean {
    const loaded = this.known(id)
    const workflow = loaded.row.state === 'on' ? reread(yaml) : undefined
    return workflow !== undefined && this.#isOther(loaded, workflow) && !this.#isNew(loaded, workflow)
  }

  /** Stores a checked file as a new workflow, or as a new version of `id`. */
  async save(
    yaml: string,
    options: SaveOptions & { change?: string; held?: boolean },
  ): Promise<{ loaded: Loaded | null; problems: Problem[] }> {
    const existing = options.id === undefined ? null : this.known(options.id)
    const { workflow, problems } = check(yaml, {
      site: this.#deps.site(),
      ...this.#here,
      speed: this.#deps.speed?.() ?? null,
      ...(existing && { slug: existing.row.slug }),
      taken: slug => this.#names.has(`slug ${slug}`),
      ...(options.file && { file: options.file }),
      scope: options.reach?.cameras ?? null,
    })
    if (!workflow) return { loaded: null, problems }
    if (!existing && options.unique) this.#refuseSameName(workflow.name)
    if (options.reach) demandReach(workflow, options.reach, existing?.row ?? null, this.#deps.site())
    const loaded = existing
      ? await this.#change(existing, workflow, yaml, options)
      : await this.#add({ ...workflow, state: stateOf(workflow, options, this.#deps.site()) }, yaml, options)
    await this.#stand(loaded, { tells: false })
    return { loaded, problems }
  }

  async setState(id: number, state: WorkflowRow['state'], by?: string): Promise<Loaded> {
    const loaded = this.known(id)
    const attention = this.#obstacle(loaded)
    const patch = { state, attention, attentionOf: attention === null ? null : 'site' } as const
    const over = await this.#update(loaded, patch, this.#noted(`workflow.${state}`, loaded, by))
    if (over && state !== 'off') await this.#goesOn(loaded)
    return loaded
  }

  /** Off, in no list and without its webhook from now on; its runs stay. */
  async remove(id: number, by?: string): Promise<Loaded> {
    const loaded = this.known(id)
    const patch = {
      state: 'off' as const,
      attention: null,
      attentionOf: null,
      hookId: null,
      removedAt: this.#deps.clock.now(),
    }
    const forget = () => this.#deps.store.cases.removeAll(id)
    await this.#update(loaded, patch, this.#noted('workflow.remove', loaded, by), forget)
    return loaded
  }

  #refuseSameName(name: string): void {
    const same = this.all().find(({ row }) => row.name === name)
    if (!same) return
    const { id } = same.row
    const how = `PUT /api/v1/workflows/${id} makes this a new version of it, ?copy=1 a second workflow.`
    throw new GatehouseError('name_taken', `“${name}” is there already, as workflow ${id}: ${how}`, {
      status: 409,
    })
  }

  /**
   * Says why a workflow stands still, and on account of what; null: it does not. Resolves with whether people had been
   * told that it does, and it does not any more.
   */
  async attend(loaded: Loaded, attention: string | null, of: 'site' | ProviderName): Promise<boolean> {
    const attentionOf = attention === null ? null : of
    if (loaded.row.attention === attention && loaded.row.attentionOf === attentionOf) return false
    return this.#update(loaded, { attention, attentionOf })
  }

  /** What made it stand still is gone, whatever that was: it goes on, unless something else stands in its way. */
  async recheck(loaded: Loaded): Promise<void> {
    await this.#stand(loaded, { mended: true })
  }

  /** Looks what stands in a workflow's way, and tells people where that changed by itself. */
  async #stand(loaded: Loaded, { tells = true, mended = false } = {}): Promise<void> {
    const { row } = loaded
    const before = row.attention
    const obstacle = this.#obstacle(loaded)
    const lacks = !mended && row.attentionOf !== null && row.attentionOf !== 'site'
    if (obstacle === null && lacks) return
    const over = await this.attend(loaded, obstacle, 'site')
    if (obstacle === null) {
      if (over || (tells && before !== null)) await this.#goesOn(loaded)
    } else if (tells && before === null) {
      const title = `${row.name} stands still`
      await tellPeople({ title, body: obstacle, about: row.id }, this.#deps)
    }
  }

  async #goesOn({ row: { name } }: Loaded): Promise<void> {
    const news = {
      title: `${name} goes on`,
      body: 'What stood in its way is gone.',
      severity: 'low',
    } as const
    await tellPeople(news, this.#deps)
  }

  async #add(workflow: Workflow, yaml: string, { by, reach }: SaveOptions): Promise<Loaded> {
    const { store, clock } = this.#deps
    const slug = slugOf(workflow.name, taken => this.#names.has(`slug ${taken}`))
    this.#names.set(`slug ${slug}`, 0)
    const at = clock.now()
    // What AI decides is looked at in Test before it acts, whatever the file says.
    const state = workflow.state === 'on' && hasAi(workflow) ? 'test' : workflow.state
    const hookId = workflow.when.kind === 'webhook' ? mintSecret() : null
    const savedBy = reach?.user ?? null
    const made = { createdAt: at, updatedAt: at, savedBy }
    const row = { slug, name: workflow.name, state, attention: null, hookId, ...made }
    try {
      const ids = await store.write(() => {
        note('workflow.save', `workflow ${slug}, version 1`, by, this.#deps)
        return store.workflows.insert(row, yaml, by ?? null)
      })
      return this.#put(ids.id, new LiveRow({ ...row, ...ids, attentionOf: null, removedAt: null }))
    } catch (error) {
      this.#names.delete(`slug ${slug}`)
      throw error
    }
  }

  async #change(
    loaded: Loaded,
    workflow: Workflow,
    yaml: string,
    { by, change, held, reach, over }: SaveOptions & { change?: string; held?: boolean },
  ): Promise<Loaded> {
    const { store, clock } = this.#deps
    const { row, program } = loaded
    const { id } = row
    const savedBy = reach?.user ?? null
    if (store.versions.get(row.versionId)?.yaml === yaml) {
      // Somebody else answers for it from now on.
      if (row.savedBy !== savedBy) await this.#update(loaded, { savedBy })
      return loaded
    }
    const at = clock.now()
    const said = { author: by ?? null, change: change ?? changesBetween(program?.workflow ?? null, workflow) }
    const minted = workflow.when.kind === 'webhook' ? mintSecret() : null
    // What AI decides anew is looked at in Test first: that counts before the file does.
    const unseen = this.#isNew(loaded, workflow) || (!held && this.#isOther(loaded, workflow))
    const patch = row.state === 'on' && unseen ? { state: 'test' as const } : {}
    const job = () => {
      const before = store.workflows.get(id)
      demandSame(over, before ? store.versions.get(before.versionId)?.number : undefined)
      const version = store.versions.add(id, yaml, at, said)
      note('workflow.save', `workflow ${row.slug}, version ${version.number}`, by, this.#deps)
      const changed = {
        name: workflow.name,
        hookId: before?.hookId ?? minted,
        versionId: version.id,
        updatedAt: at,
        savedBy,
      }
      store.workflows.update(id, { ...patch, ...changed })
      if ((patch.state ?? before?.state) === 'on') store.versions.setOn(version.id)
      return { changed, number: version.number }
    }
    const write = () => store.write(job, { canFail: over !== undefined })
    await this.#rowOf(id).change(patch, write, ({ changed, number }) => {
      const limits = this.#withHistory(this.#limits(workflow), id, hasAi(workflow))
      Object.assign(loaded, { number, program: compile(workflow), limits } satisfies Partial<Loaded>)
      if (changed.hookId !== null) this.#names.set(`hook ${changed.hookId}`, id)
      return changed
    })
    return loaded
  }

  /** Whether AI decides in another way than by the file in force. */
  #isOther(loaded: Loaded, workflow: Workflow): boolean {
    const before = loaded.program ? judgesOf(loaded.program.workflow).map(({ judge }) => judge) : []
    return judgesOf(workflow).some(({ judge }) => !before.includes(judge))
  }

  /** Whether an AI step decides in a way in which it was never On: that is looked at in Test first. */
  #isNew(loaded: Loaded, workflow: Workflow): boolean {
    const judges = judgesOf(workflow)
    if (!judges.length) return false
    const files = this.#deps.store.versions
      .thatWereOn(loaded.row.id, MOST_KNOWN)
      .map(({ yaml }) => reread(yaml))
    const known = new Set(
      [loaded.program?.workflow ?? null, ...files].flatMap(file =>
        file ? judgesOf(file).map(({ judge }) => judge) : [],
      ),
    )
    return judges.some(({ judge }) => !known.has(judge))
  }

  /**
   * Resolves with whether people had been told that it stands still, and that is over now. `also`: what the same
   * commit writes besides.
   */
  async #update(loaded: Loaded, patch: Partial<WorkflowRow>, ...also: (() => void)[]): Promise<boolean> {
    const { store, clock } = this.#deps
    const { id } = loaded.row
    const changed = { ...patch, updatedAt: clock.now() }
    const over = await this.#rowOf(id).change(changed, () =>
      store.write(() => {
        store.workflows.update(id, changed)
        for (const each of also) each()
        const version = store.workflows.get(id)?.versionId
        if (patch.state === 'on' && version !== undefined) store.versions.setOn(version)
        return patch.attention === null ? store.notices.over(id, changed.updatedAt) : []
      }),
    )
    for (const notice of over) publishNotice(notice, this.#deps)
    return over.length > 0
  }

  #noted(action: string, { row }: Loaded, by?: string): () => void {
    return () => note(action, `workflow ${row.slug}`, by, this.#deps)
  }

  #rowOf(id: number): LiveRow {
    const live = this.#rows.get(id)
    if (!live) throw new GatehouseError('workflow_unknown', `There is no workflow ${id}.`, { status: 404 })
    return live
  }

  #put(id: number, live: LiveRow): Loaded {
    const { row } = live
    const version = this.#deps.store.versions.get(row.versionId)
    const program = this.#compile(version?.yaml ?? '')
    const limits = this.#limits(program?.workflow)
    const asks = program !== null && hasAi(program.workflow)
    const loaded = {
      row,
      number: version?.number ?? 0,
      program,
      limits: this.#withHistory(limits, row.id, asks),
    }
    this.#rows.set(id, live)
    this.#loaded.set(id, loaded)
    this.#names.set(`slug ${row.slug}`, id)
    if (row.hookId !== null) this.#names.set(`hook ${row.hookId}`, id)
    return loaded
  }

  #limits(workflow: Workflow | undefined): Limits {
    return new Limits(workflow?.limits ?? {}, now => this.#siteFull(now))
  }

  /** Why the site's workflows together may not ask AI once more, or null. Each counts for itself, over restarts too. */
  #siteFull(now: number): string | null {
    const most = this.#deps.site().aiPerHour ?? null
    if (most === null) return null
    const asked = [...this.#loaded.values()].reduce((sum, { limits }) => sum + limits.ai.count(now), 0)
    return asked < most ? null : `more than ${most} AI calls in an hour at this site`
  }

  /** Counts what the database knows of the last hour, so that a restart forgets no limit. */
  #withHistory(limits: Limits, workflowId: number, asks: boolean): Limits {
    const { store, clock } = this.#deps
    for (const { id, cameraId, at } of store.runs.startsSince(workflowId, limits.since(clock.now()))) {
      limits.began(cameraId, at)
      if (!asks) continue
      for (const called of store.steps.ofRun(id).flatMap(step => callsOf(step, store))) limits.ai.add(called)
    }
    return limits
  }

  #compile(yaml: string): Program | null {
    const workflow = reread(yaml)
    return workflow ? compile(workflow) : null
  }

  /** Why the language model of this box does not investigate, if there is one; and who else is there. */
  get #here(): Parameters<typeof missingIn>[1] {
    const { language, world = {} } = this.#deps
    return language?.model ? { investigate: language.barred ?? null, world } : { world }
  }

  /** Why the workflow cannot run here and now, in one line; null: it can. */
  #obstacle({ row, program }: Loaded): string | null {
    if (!program) return 'The stored file is not understood by this version: save it again.'
    const missing = missingIn(program.workflow, this.#here)
    if (missing.length) return `It cannot be run here: ${missing.map(({ sentence }) => sentence).join('; ')}.`
    const yaml = this.#deps.store.versions.get(row.versionId)?.yaml ?? ''
    const { problems } = parse(yaml, { site: this.#deps.site().view(row.slug) })
    const problem = problems.find(({ severity }) => severity === 'error')
    return problem ? `At this site line ${problem.line} does not hold: ${problem.message}` : null
  }
}

function there(loaded: Loaded | undefined): Loaded | undefined {
  return loaded?.row.removedAt === null ? loaded : undefined
}
