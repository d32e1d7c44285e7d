import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GatehouseError, type LogRing } from '../../core/index.ts'
import {
  type Engine,
  type Forget,
  type ForgetOutcome,
  type ForgetPreview,
  soughtFor,
} from '../../engine/index.ts'
import { copiesIn } from '../../store/index.ts'
import { KEPT_BEFORE } from '../update/status.ts'
import { TAKEN } from './backups.ts'

export interface PrivacyParts {
  dataDir: string
  engine: () => Pick<Engine, 'forgetting'>
  /** Makes a copy of the database now; why it could not be made, or null. */
  copy(): Promise<string | null>
  /** The release that is on trial, and would go back with the database as it was before; null: none is. */
  onTrial(): string | null
  log: LogRing | null
}

/** What holds the database as it was: its copies, those from before updates, a backup that was sent, and what was set aside. */
export interface Kept {
  copies: number
  set_aside: number
}

/**
 * Has the box forget: first its rows and pictures, then whatever else of its data folder holds the database as it was.
 * The copies that it made of itself give way to a new one; what was set aside goes.
 */
export class Privacy {
  readonly #parts: PrivacyParts

  constructor(parts: PrivacyParts) {
    this.#parts = parts
  }

  async preview(what: Forget): Promise<ForgetPreview & Kept> {
    const found = await this.#parts.engine().forgetting.preview(what)
    const { copies, aside } = await this.#older()
    return { ...found, copies: copies.length, set_aside: aside.length }
  }

  /** `copy_problem`: why there is no new copy; the old ones are gone all the same. */
  async forget(what: Forget, by: string): Promise<ForgetOutcome & Kept & { copy_problem: string | null }> {
    const { dataDir, copy, engine, log, onTrial } = this.#parts
    const trial = onTrial()
    // What is forgotten now would come back with it.
    if (trial !== null)
      throw new GatehouseError(
        'on_trial',
        `${trial} is on trial, and may give way to the former release with its database: have it forgotten in some minutes.`,
        { status: 409 },
      )
    const outcome = await engine().forgetting.forget(what, by)
    const sought = soughtFor(what)
    log?.forget(sought.says)
    const before = await this.#older()
    // What is made before the old ones are gone is there should the disk fail right now.
    let why = await copy()
    const fresh = why === null ? copiesIn(dataDir)[0]?.path : undefined
    await this.#clear((await this.#older()).copies, fresh)
    await rm(join(dataDir, 'damaged'), { recursive: true, force: true })
    // Now there may be room.
    if (why !== null) why = await copy()
    const { copies, aside } = before
    return { ...outcome, copies: copies.length, set_aside: aside.length, copy_problem: why }
  }

  async #older(): Promise<{ copies: string[]; aside: string[] }> {
    const { dataDir } = this.#parts
    const inFolder = (name: string) => readdir(join(dataDir, name)).catch((): string[] => [])
    const [all, copies, updates, aside] = await Promise.all(
      ['.', 'copies', KEPT_BEFORE, 'damaged'].map(inFolder),
    )
    const beside = all?.filter(name => /^gatehouse\.db\.v\d+/.test(name) || name.startsWith(TAKEN)) ?? []
    const within = (folder: string, names: string[] = []) => names.map(name => join(folder, name))
    return {
      copies: [...beside, ...within('copies', copies), ...within(KEPT_BEFORE, updates)],
      aside: aside ?? [],
    }
  }

  /** `fresh`: the copy that stays. A backup that is being written holds it, too, and comes to nothing. */
  async #clear(names: readonly string[], fresh: string | undefined): Promise<void> {
    for (const path of names.map(name => join(this.#parts.dataDir, name)))
      if (path !== fresh) await rm(path, { force: true })
  }
}
