/** Judges a struck box from the outside: by what arrived elsewhere, and by its file, read without its code. */
import { Database } from 'bun:sqlite'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Request } from './world.ts'

type Row = Record<string, unknown>

/** A box's file and what it had sent by then. */
export interface Sight {
  runs: Row[]
  steps: Row[]
  intents: Row[]
  due: Row[]
  notices: Row[]
  requests: Request[]
  /** Calls of ports, by name. */
  calls: string[]
  /** Runs that an event was answered with. */
  acknowledged: number[]
}

const STEPS_PER_RUN = 65_536
/** Destinations that move, and lines on which people are called; everything else is told. */
const MOVING = ['barrier', 'vague', 'relay', 'open', 'lock.unlock', 'turn-gate']
const CALLED = ['line', 'dead']
const ENDED = new Set(['done', 'failed', 'unknown', 'would_have'])

/** Reads a box that no process holds, or that one holds at a standstill. */
export function look(dir: string, requests: readonly Request[]): Sight {
  const db = new Database(join(dir, 'gatehouse.db'), { readonly: true })
  const all = (table: string) => db.query(`SELECT * FROM ${table} ORDER BY id`).all() as Row[]
  const lines = (file: string) =>
    existsSync(join(dir, file)) ? readFileSync(join(dir, file), 'utf8').split('\n').slice(0, -1) : []
  try {
    return {
      runs: all('workflow_runs'),
      steps: all('workflow_run_steps'),
      intents: all('intents'),
      due: all('due').filter(({ kind }) => kind !== 'schedule'),
      notices: all('notices'),
      requests: [...requests],
      calls: lines('calls.log'),
      acknowledged: lines('acks.log').flatMap(line =>
        / \d+$/.test(line) ? [Number(line.split(' ')[1])] : [],
      ),
    }
  } finally {
    db.close()
  }
}

/**
 * What is wrong with a box that was struck (`before`: what the blow left, `after`: once it had gone on) as against
 * one that was not (`calm`). Empty: every promise was kept.
 */
export function faultsOf(calm: Sight, before: Sight, after: Sight): string[] {
  return [
    ...runFaults(calm, before, after),
    ...stepFaults(calm, before, after),
    ...moveFaults(calm, after),
    ...tellFaults(calm, before, after),
    ...callFaults(calm, before, after),
  ]
}

function runFaults(calm: Sight, before: Sight, after: Sight): string[] {
  const faults: string[] = []
  if (after.runs.length !== calm.runs.length) {
    faults.push(`${after.runs.length} runs instead of ${calm.runs.length}`)
  }
  for (const id of before.acknowledged) {
    if (!before.runs.some(run => run.id === id)) faults.push(`run ${id} was acknowledged and is not there`)
  }
  for (const run of after.runs) {
    const usual = calm.runs.find(each => each.id === run.id)?.status
    const lost = after.intents.some(intent => intent.run_id === run.id && intent.status === 'unknown')
    if (run.ended_at === null) faults.push(`run ${run.id} did not end: ${run.status}`)
    else if (run.status !== usual && !(run.status === 'unknown' && lost)) {
      faults.push(`run ${run.id} ended as ${run.status} instead of ${usual}`)
    }
  }
  if (after.due.length) faults.push(`${after.due.length} rows wait for nobody`)
  return faults
}

function stepFaults(calm: Sight, before: Sight, after: Sight): string[] {
  const faults: string[] = []
  for (const step of before.steps) {
    const now = after.steps.find(each => each.id === step.id)
    // What nobody knew may be settled since.
    if (step.status !== 'unknown' && isOver(before, step) && JSON.stringify(now) !== JSON.stringify(step)) {
      faults.push(`step ${step.path} had ended and was changed`)
    }
  }
  for (const run of after.runs) {
    const [mine, usual] = [stepsOf(after, run), stepsOf(calm, run)]
    const unknown = mine.findIndex(step => step.status === 'unknown')
    const cut = unknown >= 0 && usual[unknown]?.status !== 'unknown'
    // After a move that nobody knows of, nothing of its path runs: what always runs is left.
    const always = (steps: Row[]) => steps.filter(step => String(step.path).startsWith('always'))
    const [is, should] = cut
      ? [
          [...mine.slice(0, unknown), ...mine.slice(unknown + 1)],
          [...usual.slice(0, unknown), ...always(usual)],
        ]
      : [mine, usual]
    // A call that the blow cut off comes to nothing; what follows it is the same.
    const lost = mine.find(isLost)
    const ofCall = ({ path }: Row) =>
      lost !== undefined && (path === lost.path || String(path).startsWith(`${lost.path}.`))
    // The loop around such a move is cut too.
    const [a, b] = [is, should].map(steps =>
      steps.filter(step => !ofCall(step) && (!cut || step.kind !== 'for_each')).map(shape),
    )
    if (JSON.stringify(a) !== JSON.stringify(b)) {
      faults.push(`run ${run.id} went ${JSON.stringify(a)} instead of ${JSON.stringify(b)}`)
    }
    const told = (sight: Sight) => sight.notices.filter(each => each.run_id === run.id).length
    if (cut) {
      if (!calm.intents.some(intent => intent.step_id === mine[unknown]?.id))
        faults.push('what is no move is unknown')
      if (!after.notices.some(each => each.step_id === mine[unknown]?.id))
        faults.push('nobody was told of the unknown')
    } else if (told(after) !== told(calm)) faults.push(`${told(after)} notices instead of ${told(calm)}`)
  }
  return faults
}

function moveFaults(calm: Sight, after: Sight): string[] {
  const faults: string[] = []
  const moves = new Set(calm.intents.map(intent => intent.step_id))
  for (const intent of after.intents) {
    if (intent.ended_at === null) faults.push(`a move of step ${intent.step_id} stayed open`)
    if (!moves.has(intent.step_id)) faults.push(`a move of step ${intent.step_id} that nobody asked for`)
    if (after.intents.filter(each => each.step_id === intent.step_id).length > 1)
      faults.push('two intents of a step')
  }
  for (const to of MOVING) {
    const mine = after.requests.filter(request => request.to === to)
    const most = calm.requests.filter(request => request.to === to).length
    if (mine.length > most) faults.push(`${to} was moved ${mine.length} times instead of ${most}`)
    if (new Set(mine.map(({ id }) => id)).size < mine.length)
      faults.push(`${to} was moved twice under one id`)
  }
  const sets = (sight: Sight) => sight.calls.filter(call => call === 'siteMode.set').length
  if (sets(after) > sets(calm)) faults.push(`the mode was set ${sets(after)} times instead of ${sets(calm)}`)
  return faults
}

/** Nobody is called twice, nor for nothing; a call comes to nothing only where the blow cut it off. */
function callFaults(calm: Sight, before: Sight, after: Sight): string[] {
  const faults: string[] = []
  for (const to of CALLED) {
    const [mine, usual] = [after, calm].map(({ requests }) => requests.filter(each => each.to === to))
    const ids = (mine ?? []).map(({ id }) => tail(id))
    if (new Set(ids).size < ids.length) faults.push(`${to} was called twice for one call`)
    if (ids.some(id => !usual?.some(each => tail(each.id) === id)))
      faults.push(`${to} was called for nothing`)
  }
  for (const lost of after.steps.filter(isLost)) {
    const waited = before.steps.find(({ id }) => id === lost.id)?.status === 'waiting'
    const settled = before.due.some(row => row.step_id === lost.id && String(row.payload).includes('"came"'))
    if (!waited || settled) faults.push(`the call at ${lost.path} came to something, and that was lost`)
    const inside = after.steps.filter(({ path }) => String(path).startsWith(`${lost.path}.`))
    if (lost.outcome !== 'no_answer' || inside.some(({ path }) => !String(path).includes('.no_answer')))
      faults.push(`the call at ${lost.path} was cut off and went on as if it had not been`)
  }
  return faults
}

function isLost({ kind, result }: Row): boolean {
  return kind === 'call' && String(result).includes('"interrupted"')
}

function tellFaults(calm: Sight, before: Sight, after: Sight): string[] {
  const faults: string[] = []
  const cut = after.runs.some((run, i) => run.status !== calm.runs[i]?.status)
  const tells = (sight: Sight) =>
    Object.entries(Object.groupBy(sight.requests, request => `${request.to} ${tail(request.id)}`)).filter(
      ([key]) => ![...MOVING, ...CALLED].some(to => key.startsWith(to)),
    )
  const usual = new Map(tells(calm))
  const mine = new Map(tells(after))
  if (!cut) for (const key of usual.keys()) if (!mine.has(key)) faults.push(`${key} was never told`)
  for (const [key, requests = []] of mine) {
    const should = usual.get(key)?.length ?? 0
    if (should === 0) faults.push(`${key} was told and should not have been`)
    if (requests.length > should + 1)
      faults.push(`${key} was told ${requests.length} times, ${should} would do`)
    if (new Set(requests.map(({ id, body }) => `${id} ${body}`)).size > 1)
      faults.push(`${key} changed between tries`)
    const [run = 0, seq = 0] = tail(requests[0]?.id ?? '')
      .split('-')
      .map(Number)
    const ended = before.steps.find(step => step.id === run * STEPS_PER_RUN + seq)
    const then = before.requests.filter(({ id }) => id === requests[0]?.id).length
    if (ended && isOver(before, ended) && requests.length > then)
      faults.push(`${key} was told after it had ended`)
  }
  return faults
}

/** What a delivery id says without the box: `<run>-<seq>`. */
function tail(id: string): string {
  return id.split('-').slice(-2).join('-')
}

function stepsOf(sight: Sight, run: Row): Row[] {
  return sight.steps.filter(step => Math.floor(Number(step.id) / STEPS_PER_RUN) === run.id)
}

/** Nothing more is to be done about a step; a message that failed may have a row that sends it again. */
function isOver({ due }: Sight, step: Row): boolean {
  return ENDED.has(String(step.status)) && !due.some(row => row.step_id === step.id)
}

type Judged = { usage?: { ms?: number } }

/** A step without its times; how often a message was tried, or a condition looked at, may differ. */
function shape({ path, item, kind, status, outcome, inputs, result, ai }: Row): unknown[] {
  const told = typeof result === 'string' ? (JSON.parse(result) as Row) : null
  for (const key of ['tries', 'delivered_at', 'answered_at', 'late_ms', 'looks']) delete told?.[key]
  // What is recorded again is another recording.
  for (const key of ['clip', 'pictures']) delete told?.[key]
  if (kind === 'call' && told) told.call = tail(String(told.call))
  // How long ago a tool saw something depends on when it was asked; what was cut off begins again and asks it again.
  if (typeof told?.evidence === 'string')
    told.evidence = [...new Set(told.evidence.replace(/\d+ (s|min) ago/g, 'ago').split('\n'))]
  // How long AI took differs, and a picture that is taken again is another.
  const judged =
    typeof ai === 'string' ? (JSON.parse(ai.replace(/"media":\d+/g, '"media":0')) as Judged) : null
  delete judged?.usage?.ms
  // Why it is not known is told by whoever found out, and when it was settled by the clock.
  const known = status === 'unknown' || told?.settled ? null : told
  return [path, item, kind, status, outcome, inputs, known, judged]
}
