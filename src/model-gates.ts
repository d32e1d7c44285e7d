import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Gated, gateNeeds, gateWords, passes } from './ai/index.ts'
import { Evaluations, type Examinee } from './models/index.ts'
import type { LanguageSetting } from './site/index.ts'

/** Cases of each gated suite that come with the program, for what is said before anything was judged. */
const CASES = 42

/** Why something is not offered, for people. */
const WHAT: Readonly<Record<Gated, string>> = {
  investigate: 'Investigating',
  draft: 'Drafting from a sentence',
}

export interface ModelGatesOptions {
  dataDir: string
  /** As the site says it now. */
  language: () => LanguageSetting | null
  /** Class of this box. */
  box: string
}

/** What the site's language model may do here, by what came of judging it on this class of box. */
export class ModelGates {
  readonly #options: ModelGatesOptions
  readonly #evaluations: Evaluations

  constructor(options: ModelGatesOptions) {
    this.#options = options
    this.#evaluations = new Evaluations(options.dataDir)
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
