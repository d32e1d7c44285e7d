interface Resource {
  value: Promise<unknown>
  unload: (value: never) => Promise<void>
  users: number
  /** Monotonic ms of the last time that somebody used it. */
  idleSince: number
}

/** Things that live between jobs (model sessions): made on first use, dropped after standing idle. */
export class Resources {
  readonly #held = new Map<string, Resource>()
  readonly #dropAfterMs: number
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(dropAfterMs: number) {
    this.#dropAfterMs = dropAfterMs
  }

  /** A user of the resources: what it took is in use until it is let go, and so not dropped under its hands. */
  user(): {
    take: <T>(key: string, load: () => Promise<T>, unload: (value: T) => Promise<void>) => Promise<T>
    letGo(): void
  } {
    const taken = new Set<Resource>()
    return {
      take: <T>(key: string, load: () => Promise<T>, unload: (value: T) => Promise<void>) => {
        const held = this.#held.get(key) ?? this.#load(key, load, unload)
        if (!taken.has(held)) {
          taken.add(held)
          held.users++
        }
        return held.value as Promise<T>
      },
      letGo: () => {
        for (const held of taken) {
          held.users--
          held.idleSince = performance.now()
        }
        taken.clear()
        this.#plan()
      },
    }
  }

  #load<T>(key: string, load: () => Promise<T>, unload: (value: T) => Promise<void>): Resource {
    const held: Resource = { value: load(), unload, users: 0, idleSince: performance.now() }
    this.#held.set(key, held)
    // What could not be loaded is tried afresh by the next job.
    held.value.catch(() => {
      if (this.#held.get(key) === held) this.#held.delete(key)
    })
    return held
  }

  #plan(): void {
    if (this.#timer || this.#held.size === 0) return
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.#drop()
      this.#plan()
    }, this.#dropAfterMs)
    this.#timer.unref()
  }

  #drop(): void {
    const before = performance.now() - this.#dropAfterMs
    for (const [key, held] of this.#held) {
      if (held.users > 0 || held.idleSince > before) continue
      this.#held.delete(key)
      held.value
        .then(value => held.unload(value as never))
        .catch(error => console.error(`could not unload ${key}: ${error}`))
    }
  }
}
