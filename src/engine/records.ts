import { foldText } from '../contract/index.ts'
import type { RecordedDecision, RecordedEvent, Records, RecordsFilter } from '../kinds/index.ts'
import type { MediaFiles, RunRow, Store } from '../store/index.ts'

/** Runs among which is searched: what is further back is not found. */
const MOST_RUNS = 400
const PAGE = 100

/** Ways to be unsure in which nobody judged: they say nothing of the camera, and would crowd out what does. */
const NOBODY: ReadonlySet<unknown> = new Set(['llm_down', 'over_budget', 'invalid_output', 'vision_down'])

/** What the rows of a box say of before, for tools and memory. Searches are bounded; what they read is data. */
export class StoreRecords implements Records {
  readonly #store: Store
  readonly #media: MediaFiles

  constructor(store: Store, media: MediaFiles) {
    this.#store = store
    this.#media = media
  }

  events(filter: Parameters<Records['events']>[0]): RecordedEvent[] {
    return this.#store.events.latest(filter)
  }

  decisions({ word, ...filter }: Parameters<Records['decisions']>[0]): RecordedDecision[] {
    const found: RecordedDecision[] = []
    const wanted = word === null ? null : foldText(word)
    for (const run of this.#runs(filter)) {
      const judged = this.#store.steps
        .ofRun(run.id)
        .findLast(({ ai, outcome }) => ai !== null && outcome !== null)
      if (!judged || NOBODY.has(judged.ai?.unsure_reason)) continue
      const reason = typeof judged.ai?.reason === 'string' ? judged.ai.reason : ''
      const decision = judged.outcome ?? ''
      if (wanted !== null && !holds(wanted, [decision, reason, ...textsOf(run)])) continue
      const workflow = this.#store.workflows.get(run.workflowId)?.name ?? ''
      const right = this.#right(run.id)
      found.push({ workflow, cameraId: run.cameraId, at: run.startedAt, decision, reason, right })
      if (found.length >= filter.limit) break
    }
    return found
  }

  async pictures(filter: Parameters<Records['pictures']>[0]) {
    const found: Awaited<ReturnType<Records['pictures']>> = []
    for (const run of this.#runs(filter)) {
      for (const { id, hash, takenAt, createdAt, source } of this.#store.media.ofRun(run.id).toReversed()) {
        const at = takenAt ?? createdAt
        if (at < filter.since || at > filter.until) continue
        const bytes = await this.#media.read(hash)
        if (bytes) found.push({ ref: id, picture: { bytes, takenAt, source } })
        if (found.length >= filter.limit) return found
      }
    }
    return found
  }

  /** People who disagree say nothing. */
  #right(run: number): boolean | null {
    const said = this.#store.marks.ofRun(run).filter(({ replacedAt }) => replacedAt === null)
    const [first] = said
    return first && said.every(({ correct }) => correct === first.correct) ? first.correct : null
  }

  /** Newest first. */
  *#runs({ cameraId, since, until }: RecordsFilter): Generator<RunRow> {
    let before: number | undefined
    for (let read = 0; read < MOST_RUNS; read += PAGE) {
      const page = this.#store.runs.list({ limit: PAGE, ...(before !== undefined && { before }) })
      for (const run of page) {
        if (run.startedAt < since) return
        if (run.startedAt <= until && (cameraId === null || run.cameraId === cameraId)) yield run
      }
      before = page.at(-1)?.id
      if (page.length < PAGE) return
    }
  }
}

function textsOf({ values }: RunRow): string[] {
  return Object.values(values).filter(value => typeof value === 'string')
}

function holds(wanted: string, texts: readonly string[]): boolean {
  return wanted !== '' && texts.some(text => foldText(text).includes(wanted))
}
