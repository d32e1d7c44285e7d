/**
 * What came of judging models on this box: a file in the data folder. Not a table, because the database belongs to
 * the process that is up, and models are judged by another one beside it.
 */
import { readFileSync, statSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const Evaluation = Type.Object({
  suite: Type.Union([Type.Literal('investigate'), Type.Literal('draft')]),
  /** As runs record the model. */
  model: Type.String({ maxLength: 300 }),
  /** SHA-256 of its file, hex; null: it runs on a server. */
  hash: Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()]),
  /** Class of box. */
  box: Type.String({ maxLength: 100 }),
  right: Type.Integer({ minimum: 0 }),
  cases: Type.Integer({ minimum: 1 }),
  /** Fingerprint of the cases. */
  fingerprint: Type.String({ maxLength: 64 }),
  /** Of Gatehouse. */
  version: Type.String({ maxLength: 40 }),
  /** ms since 1970. */
  at: Type.Number(),
})

const File = Type.Object({ evaluations: Type.Literal(1), results: Type.Array(Evaluation) })

export type Evaluation = Static<typeof Evaluation>
/** Who was judged at what, and where. */
export type Examinee = Pick<Evaluation, 'suite' | 'model' | 'hash' | 'box'>

/** Of so many the oldest go. */
const MOST = 200

export class Evaluations {
  readonly #path: string
  #read: { stamp: string; results: readonly Evaluation[] } | null = null

  constructor(dataDir: string) {
    this.#path = join(dataDir, 'evaluations.json')
  }

  /** The latest of an examinee; null: it was never judged here. A file that cannot be read holds none. */
  find(who: Examinee): Evaluation | null {
    return this.all.find(each => isOf(each, who)) ?? null
  }

  /** Keeps results, each in place of an older one of the same examinee. Whole and synced, or as it was before. */
  async put(results: readonly Evaluation[]): Promise<void> {
    const rest = this.all.filter(each => !results.some(result => isOf(each, result)))
    const content: Static<typeof File> = { evaluations: 1, results: [...results, ...rest].slice(0, MOST) }
    await mkdir(join(this.#path, '..'), { recursive: true, mode: 0o700 })
    const handle = await open(`${this.#path}.new`, 'w', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 1)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(`${this.#path}.new`, this.#path)
  }

  /** Newest first. The file is read again only when it has changed. */
  get all(): readonly Evaluation[] {
    const stat = statSync(this.#path, { throwIfNoEntry: false })
    if (!stat) return []
    const stamp = `${stat.ino} ${stat.size} ${stat.mtimeMs}`
    if (this.#read?.stamp !== stamp) this.#read = { stamp, results: contentOf(this.#path) }
    return this.#read.results
  }
}

function isOf(result: Examinee, { suite, model, hash, box }: Examinee): boolean {
  return result.suite === suite && result.model === model && result.hash === hash && result.box === box
}

function contentOf(path: string): readonly Evaluation[] {
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return Value.Check(File, content) ? content.results : []
  } catch {
    return []
  }
}
