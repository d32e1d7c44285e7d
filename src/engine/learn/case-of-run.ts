import type { Step } from '../../contract/index.ts'
import { GatehouseError, type IncomingEvent, type JsonValue } from '../../core/index.ts'
import type { CasePictureRow, JsonObject, RunRow, Store } from '../../store/index.ts'
import { isObject } from '../json.ts'
import type { RunView, StepView } from '../types.ts'
import { storedEventOf } from './trial-events.ts'

/** What an AI step was given, and what its tools said: as much as another program needs to judge it again. */
export interface JudgedThen {
  /** Of the step, as its file says them. */
  params: JsonObject
  /** What was known before it. */
  values: JsonObject
  tools: { name: string; args: JsonValue; result: JsonValue; status: string }[]
}

/** The AI step by which a run is held against its case: the last that came to an end. */
export function judgedStep({ id, steps }: RunView): StepView & { outcome: string } {
  const judged = steps.findLast(({ kind, outcome }) => kind === 'ai' && outcome !== null)
  if (judged && judged.outcome !== null) return { ...judged, outcome: judged.outcome }
  throw new GatehouseError(
    'no_decision',
    `No AI step decided in run ${id}: there is nothing that an answer could be held against.`,
    { status: 409 },
  )
}

/** What may be expected of it. */
export function optionsOf({ inputs }: Pick<StepView, 'inputs'>): string[] {
  const decision = isObject(inputs) && Array.isArray(inputs.decision) ? inputs.decision : []
  return [...decision.map(String), 'unsure']
}

export function judgedThen(run: RunView, row: RunRow, judged: StepView, step: Step): JudgedThen {
  const given = run.steps.filter(({ seq }) => seq < judged.seq)
  const values: JsonObject = Object.assign({}, row.values, ...given.map(({ fields }) => fields ?? {}))
  const tools = judged.tool_calls
    .filter(({ kind }) => kind === 'tool')
    .map(({ name, args_asked, result, status }) => ({ name, args: args_asked, result, status }))
  return { params: step.params as JsonObject, values, tools }
}

/** Its pictures, the one that was judged first. */
export function picturesOf(
  run: RunRow,
  judged: StepView,
  store: Store,
): Omit<CasePictureRow, 'id' | 'caseId'>[] {
  const seen = new Set(judged.evidence.map(({ media }) => media))
  return store.media
    .ofRun(run.id)
    .sort((a, b) => Number(seen.has(b.id)) - Number(seen.has(a.id)))
    .map(({ hash, type, bytes, source, takenAt, stepId, createdAt }) => ({
      ...{ hash, type, bytes, source, takenAt },
      shotAt: stepId === null ? null : createdAt,
    }))
}

/** The event as it is kept, and back. */
export function keptEvent(run: RunRow): JsonObject {
  const { pictures: _, ...event } = storedEventOf(run).event
  return event as unknown as JsonObject
}

export const eventOf = (kept: JsonObject): IncomingEvent =>
  ({ ...kept, pictures: [] }) as unknown as IncomingEvent
