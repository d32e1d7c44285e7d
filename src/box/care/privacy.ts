import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogRing } from '../../core/index.ts'
import {
  type Engine,
  type Forget,
  type ForgetOutcome,
  type ForgetPreview,
  soughtFor,
} from '../../engine/index.ts'
import { copiesIn } from '../../store/index.ts'

export interface PrivacyParts {
  dataDir: string
  engine: () => Pick<Engine, 'forgetting'>
  /** Makes a copy of the database now; why it could not be made, or null. */
  copy(): Promise<string | null>
  log: LogRing | null
}

/** What holds the database as it was: its copies, those from before updates, and what was set aside. */
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
    const { dataDir, copy, engine, log } = this.#parts
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
    const updates = (await readdir(dataDir)).filter(name => /^gatehouse\.db\.v\d+/.test(name))
    const copies = await readdir(join(dataDir, 'copies')).catch(() => [])
    const aside = await readdir(join(dataDir, 'damaged')).catch(() => [])
    return { copies: [...updates, ...copies.map(name => join('copies', name))], aside }
  }

  /** `fresh`: the copy that stays. A backup that is being written holds it, too, and comes to nothing. */
  async #clear(names: readonly string[], fresh: string | undefined): Promise<void> {
    for (const path of names.map(name => join(this.#parts.dataDir, name)))
      if (path !== fresh) await rm(path, { force: true })
  }
}
