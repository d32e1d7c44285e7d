import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Gated, gateNeeds, gateWords, passes } from '../ai/index.ts'
import type { Clock } from '../core/index.ts'
import { Evaluations, type Examinee } from '../models/index.ts'
import type { LanguageSetting } from '../site/index.ts'

/** Cases of each gated suite that come with the program, for what is said before anything was judged. */
const CASES = 42

/** How soon it is seen that a model has passed. */
const LOOK_MS = 15_000

/** What is not offered, in words. */
const WHAT: Readonly<Record<Gated, string>> = {
  investigate: 'investigating',
  draft: 'drafting from a sentence',
}

export interface ModelGatesOptions {
  dataDir: string
  /** As the site says it now. */
  language: () => LanguageSetting | null
  /** Class of this box. */
  box: string
  clock: Clock
}

/** What the site's language model may do here, by what came of judging it on this class of box. */
export class ModelGates {
  readonly #options: ModelGatesOptions
  readonly #evaluations: Evaluations
  #cancel: (() => void) | null = null

  constructor(options: ModelGatesOptions) {
    this.#options = options
    this.#evaluations = new Evaluations(options.dataDir)
  }

  /** From now on `onChange` is called when a gate opens or shuts: models are judged by a process beside this one. */
  start(onChange: () => void): void {
    const look = (before: string) => {
      this.#cancel = this.#options.clock.after(LOOK_MS, () => {
        const now = this.#state
        if (now !== before) onChange()
        look(now)
      })
    }
    look(this.#state)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  get #state(): string {
    return JSON.stringify(this.view().map(({ passed }) => passed))
  }

  /** Why the model may not do it yet and what to run, in one line without a full stop; null: it may. */
  why(suite: Gated): string | null {
    const { language, dataDir, box } = this.#options
    const setting = language()
    const what = WHAT[suite]
    if (!setting) return `${what} needs a language model: name one under language in the site file`
    const who = identityOf(setting, dataDir)
    const run = `run "gatehouse eval --suite ${suite}"`
    if (!who)
      return `${what} needs a model that is known by its hash: run "gatehouse models add" with its file`
    const found = this.#evaluations.find({ ...who, suite, box })
    if (!found)
      return `${what} waits until ${who.model} has passed its cases on this box (${gateNeeds(CASES)}): ${run}`
    return passes(found)
      ? null
      : `${what} is not offered with ${who.model}: ${gateWords(found)}. Try another model, then ${run}`
  }

  /** For the page: each gate, and what came of it. */
  view(): { suite: Gated; passed: boolean; why: string | null }[] {
    return (['investigate', 'draft'] as const).map(suite => {
      const why = this.why(suite)
      return { suite, passed: why === null, why }
    })
  }
}

/**
 * Who a site's model is: by name and the hash that was taken of its file when it was added. Null where a file has none
 * or has changed since. What a server runs is known by its name only.
 */
export function identityOf(
  setting: LanguageSetting,
  dataDir: string,
): Pick<Examinee, 'model' | 'hash'> | null {
  if (setting.kind !== 'file')
    return { model: `${setting.api}:${setting.model}@${setting.destination}`, hash: null }
  const file = join(dataDir, 'models', setting.file)
  const hash = recordedHash(file)
  return hash === null ? null : { model: setting.file, hash }
}

/** What is kept beside an installed file when it is added. */
function recordedHash(file: string): string | null {
  try {
    const record: unknown = JSON.parse(readFileSync(`${file}.json`, 'utf8'))
    const { sha256, bytes } = Object(record) as { sha256?: unknown; bytes?: unknown }
    const same = statSync(file).size === bytes
    return same && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256) ? sha256 : null
  } catch {
    return null
  }
}
