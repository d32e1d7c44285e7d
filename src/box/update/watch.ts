import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, GatehouseError, type Log, messageOf } from '../../core/index.ts'
import type { Site } from '../../site/index.ts'
import type { Store } from '../../store/index.ts'
import type { UpdatesView } from '../../web/index.ts'
import type { Connection } from '../connections.ts'
import type { Tell } from '../safe-mode.ts'
import { version } from '../version.ts'
import { imageTrialIn } from './image.ts'
import { type Last, REQUEST, STATE_DIR, UpdateState } from './status.ts'

const LOOK_MS = 5_000
/** Of the last update that people were told of. */
const TOLD = 'update_told'
/** Of the last image, likewise. */
const IMAGE_TOLD = 'image_told'

export interface UpdateWatchOptions {
  dataDir: string
  site: () => Site
  store: Store
  clock: Clock
  log: Log
  tell: Tell
  /** Where the updater says how it is, and where it lies. */
  stateDir?: string
  updater?: string
}

/**
 * What the engine knows of updates. It makes none: it asks for one by a file that the updater, which is root, finds, and
 * tells people what came of it.
 */
export class UpdateWatch implements Connection {
  readonly name = 'Updates'
  readonly #options: UpdateWatchOptions
  readonly #state: UpdateState
  #cancel: () => void = () => {}

  constructor(options: UpdateWatchOptions) {
    this.#options = options
    this.#state = new UpdateState(options.stateDir ?? STATE_DIR)
  }

  /** Why no newer release could be looked for. */
  get problem(): string | null {
    return this.#options.site().updates === null ? null : this.#state.status.problem
  }

  async start(): Promise<void> {
    await this.#look()
  }

  async reload(): Promise<void> {}

  async stop(): Promise<void> {
    this.#cancel()
  }

  /** The release that has yet to show that it is well; null: none has. */
  get onTrial(): string | null {
    const { underway } = this.#state.status
    return underway === null || underway.step === 'fetching' ? null : underway.to
  }

  view(): UpdatesView {
    const { checked_at, available, problem, underway, last } = this.#state.status
    const { updates } = this.#options.site()
    // What was installed meanwhile is not newer any more.
    const newer = available?.version === version ? null : available
    return {
      ...{ installed: version, available: newer, checked_at, problem, underway, last },
      ...{ source: updates?.text ?? null, auto: updates?.at ?? null, not_here: this.#notHere() },
    }
  }

  /** Asks for it. Rejects with `not_possible` where nobody would come. `by`: for the audit. */
  async ask(what: 'check' | 'install', by: string): Promise<UpdatesView> {
    const { dataDir, site, store, clock } = this.#options
    const { available, underway } = this.#state.status
    const why =
      this.#notHere() ??
      (site().updates === null
        ? 'No source of updates is listed: write updates: { from: … } into site.yaml.'
        : null) ??
      (underway ? `An update is under way already, to ${underway.to}.` : null) ??
      (what === 'install' && !available ? 'No newer release is known: look for one first.' : null)
    if (why !== null) throw new GatehouseError('not_possible', why, { status: 409 })
    await store.write(() => {
      const target = what === 'check' ? 'updates' : `update ${available?.version}`
      const action = what === 'check' ? 'update.check' : 'update.install'
      store.audit.add({ at: clock.now(), author: by, action, target, before: null, after: null })
    })
    const file = join(dataDir, REQUEST)
    await writeFile(`${file}.new`, JSON.stringify({ do: what }), { mode: 0o600 })
    await rename(`${file}.new`, file)
    return this.view()
  }

  #notHere(): string | null {
    return existsSync(this.#options.updater ?? '/opt/gatehouse/updater') && this.#installed()
      ? null
      : 'It was not installed by install.sh: update it the way that it was started.'
  }

  #installed(): boolean {
    return this.#options.updater !== undefined || process.execPath.startsWith('/opt/gatehouse/')
  }

  async #look(): Promise<void> {
    const { clock, log } = this.#options
    try {
      await this.#tell()
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'people were not told of an update')
    }
    this.#cancel = clock.after(LOOK_MS, () => void this.#look())
  }

  async #tell(): Promise<void> {
    const { last } = this.#state.status
    if (last !== null) await this.#tellOnce(TOLD, last.id, wordsFor(last))
    const image = imageTrialIn(this.#state.dir)
    if (image !== null) await this.#tellOnce(IMAGE_TOLD, image.id, image.news)
  }

  async #tellOnce(key: string, id: string, news: Parameters<Tell>[0]): Promise<void> {
    const { store, tell } = this.#options
    if (store.meta.get(key) === id) return
    // Told first: a power cut between the two tells it twice, rather than never.
    await tell(news)
    await store.write(() => store.meta.set(key, id))
  }
}

function wordsFor({ outcome, from, to, why }: Last): Parameters<Tell>[0] {
  const plain = (name: string | null) => name?.replace(/-linux-[a-z0-9-]+$/, '') ?? 'a newer release'
  const body = why ?? `Before it was ${plain(from)}.`
  switch (outcome) {
    case 'done':
      return { title: `Gatehouse ${plain(to)} runs now`, body, severity: 'low' }
    case 'rolled_back':
      return {
        title: `The update to ${plain(to)} was taken back`,
        body: `${plain(from)} runs again. ${why ?? ''}`.trim(),
        severity: 'high',
      }
    case 'refused':
      return { title: `The update to ${plain(to)} was refused`, body, severity: 'medium' }
    case 'failed':
      return { title: `The update to ${plain(to)} failed`, body, severity: 'high' }
  }
}
