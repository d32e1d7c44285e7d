import { messageOf } from '../../core/index.ts'
import { tellPeople } from '../notices.ts'
import type { EngineDeps } from '../ports.ts'

const EVERY_MS = 10_000
const LEAST_FREE = 256 * 1024 * 1024
/** There is room again when this much more is free than what was too little. */
const AGAIN = 1.2

/**
 * Watches the room on the disk. With too little of it no new work is taken, so that what was promised (runs at
 * work, questions, waits) can still be written; with enough it goes on by itself.
 */
export class Disk {
  readonly #deps: EngineDeps
  #cancel: (() => void) | null = null
  #open = false
  #low = false
  #free: number | null = null

  readonly #onLow: () => void

  /** `onLow`: there is too little room from now on. */
  constructor(deps: EngineDeps, onLow: () => void) {
    this.#deps = deps
    this.#onLow = onLow
  }

  async start(): Promise<void> {
    this.#open = true
    await this.#look()
  }

  stop(): void {
    this.#open = false
    this.#cancel?.()
  }

  get low(): boolean {
    return this.#low
  }

  /** Null: not known. */
  get freeBytes(): number | null {
    return this.#free
  }

  get #least(): number {
    const { options, keep } = this.#deps
    return options?.keep?.minFreeBytes ?? keep?.().minFreeBytes ?? LEAST_FREE
  }

  /** Why no new work is taken. */
  get why(): string {
    return `The disk is nearly full (${megabytes(this.#free ?? 0)} free): make room, at least ${megabytes(this.#least * AGAIN)}.`
  }

  async #look(): Promise<void> {
    const { clock, log } = this.#deps
    try {
      this.#free = (await this.#deps.disk?.())?.free ?? null
      const low = this.#free !== null && this.#free < this.#least * (this.#low ? AGAIN : 1)
      if (low !== this.#low) {
        this.#low = low
        if (low) this.#onLow()
        await this.#tell()
      }
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'the room on the disk could not be told')
    }
    if (this.#open) this.#cancel = clock.after(EVERY_MS, () => void this.#look())
  }

  #tell(): Promise<void> {
    return tellPeople(
      this.#low
        ? { title: 'No new runs: the disk is nearly full', body: this.why }
        : { title: 'There is room on the disk again', body: 'New runs are taken again.', severity: 'low' },
      this.#deps,
    )
  }
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
