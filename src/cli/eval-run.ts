import {
  type CaseResult,
  drafterWith,
  type EvalCase,
  isLeftOut,
  type LeftOut,
  Present,
  playOf,
  RecordedModel,
  runDraftCase,
  runInvestigateCase,
  runLookCase,
} from '../ai/eval/index.ts'
import { limitsWith } from '../ai/index.ts'
import { messageOf, systemClock } from '../core/index.ts'
import type { EvalBox } from './eval-box.ts'
import { pictureOf } from './eval-cases.ts'

export interface RunOptions {
  box: EvalBox
  /** Recorded or expected answers instead of the model's. */
  fixtures: boolean
  /** Folders of sample pictures. */
  pictures: readonly string[]
  signal: AbortSignal
  /** Hears of each case as it is done, in one line. */
  tell(line: string): void
}

/** Runs all cases, one after the other, as a box would: one model, one conversation at a time. */
export async function runCases(
  cases: readonly EvalCase[],
  options: RunOptions,
): Promise<{ results: CaseResult[]; leftOut: LeftOut[] }> {
  const { signal, tell } = options
  const results: CaseResult[] = []
  const leftOut: LeftOut[] = []
  for (const [index, one] of cases.entries()) {
    const came = signal.aborted ? left(one, 'it was stopped before') : await runPresent(one, options)
    // What was broken off says nothing of the model.
    const counted = signal.aborted && !isLeftOut(came) ? left(one, 'it was stopped meanwhile') : came
    if (isLeftOut(counted)) leftOut.push(counted)
    else results.push(counted)
    const said = isLeftOut(counted) ? `left out: ${counted.why}` : wordsOf(counted)
    if (!signal.aborted) tell(`${index + 1}/${cases.length} ${one.suite} ${one.id}: ${said}`)
  }
  return { results, leftOut }
}

const left = ({ id, suite }: EvalCase, why: string): LeftOut => ({ id, suite, why })

function wordsOf({ right, wrong, seconds }: CaseResult): string {
  return `${right ? 'right' : `wrong (${wrong.join('; ')})`}, ${seconds.toFixed(1)} s`
}

/** Of a model that was not there a case says nothing, whatever came of it. */
async function runPresent(one: EvalCase, options: RunOptions): Promise<CaseResult | LeftOut> {
  const { language, vision } = options.box
  const watched = [language, vision].map(model => model && new Present(model))
  const [judged = null, sees = null] = watched
  const came = await runCase(one, { ...options, box: { ...options.box, language: judged, vision: sees } })
  const away = watched.find(model => model?.away)?.away
  return away ? { ...left(one, `the model gave no answer: ${away}`), absent: true } : came
}

async function runCase(one: EvalCase, options: RunOptions): Promise<CaseResult | LeftOut> {
  const { box, fixtures, pictures, signal } = options
  const { eyes, preset } = box
  const now = () => systemClock.now()
  const timeoutMs = preset.seconds * 1000
  try {
    if (one.suite === 'draft') return await runDraftCase(one, { now, draft: drafterOf(one, options) })
    const language = fixtures ? new RecordedModel(playOf(one)) : box.language
    if (one.suite === 'look') {
      const picture = (name: string) => pictureOf(name, pictures)
      const asked = (!fixtures && one.picture !== undefined && box.vision) || language
      return await runLookCase(one, { language: asked, eyes, picture, now, timeoutMs, signal })
    }
    const limits = limitsWith(language ?? { backend: 'cpu' }, {}, fixtures ? null : box.turnSeconds)
    const after = (ms: number, callback: () => void) => systemClock.after(ms, callback)
    return await runInvestigateCase(one, { language, limits, now, after, signal })
  } catch (error) {
    return left(one, messageOf(error))
  }
}

function drafterOf(one: Extract<EvalCase, { suite: 'draft' }>, { box, fixtures, signal }: RunOptions) {
  if (fixtures) return drafted(one)
  return box.language && drafterWith(box.language, { now: () => systemClock.now(), signal })
}

/** What was recorded, else the workflow that is expected. */
function drafted({ recorded, workflow }: Extract<EvalCase, { suite: 'draft' }>) {
  const [first = workflow] = recorded ?? []
  const yaml = typeof first === 'string' ? first : JSON.stringify(first)
  return async () => ({ yaml, modelCalls: 0, tokensIn: 0, tokensOut: 0 })
}
