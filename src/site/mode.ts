import { GatehouseError } from '../core/index.ts'
import type { Store } from '../store/index.ts'
import type { Site } from './site.ts'

const KEY = 'site_mode'

/** The mode that the site is in, kept over restarts. */
export class SiteMode {
  readonly #store: Store
  readonly #site: () => Site

  constructor(store: Store, site: () => Site) {
    this.#store = store
    this.#site = site
  }

  /** The mode that was set last, if the site still has it, else the site's first. */
  get(): string {
    const { modes } = this.#site()
    const set = this.#store.meta.get(KEY)
    return set !== null && modes.includes(set) ? set : (modes[0] ?? 'disarmed')
  }

  /** Throws `mode_unknown`. */
  known(mode: string): void {
    const { modes } = this.#site()
    if (modes.includes(mode)) return
    const message = `${mode} is not a mode of this site: use one of ${modes.join(', ')}.`
    throw new GatehouseError('mode_unknown', message)
  }

  /** Resolves once it is stored. Rejects with `mode_unknown`. Who changed it, and why, is in the run that did. */
  async set(mode: string): Promise<void> {
    this.known(mode)
    await this.#store.write(() => this.#store.meta.set(KEY, mode))
  }
}
