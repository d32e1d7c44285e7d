/**
 * A second opinion on the safety proof, as naive as it can be: it lists every way in which a small workflow can
 * run, as a sequence of what happens, and looks back from each move for somebody or something that allowed it.
 * It shares no code with the proof.
 */
import type { Condition, Step, Workflow } from '../../../src/contract/index.ts'

type Happening =
  | { what: 'ai' }
  | { what: 'wait'; minutes: number }
  /** A person's reply or an identity begins to hold (`guard`), or something that nobody may have said (`void`). */
  | { what: 'enter'; scope: 'guard' | 'void' }
  | { what: 'leave' }
  | { what: 'move'; path: string }
  /** A step gives its `reason`, or reads `{reason}`. */
  | { what: 'gives' | 'reads'; path: string }

type Run = readonly Happening[]

export class TooMany extends Error {}

/** The paths of all moves that can happen with nothing that allows them. Throws `TooMany` past 20,000 runs. */
export function unguardedMoves(workflow: Workflow): Set<string> {
  const bad = new Set<string>()
  const byAuthority = ['schedule', 'button', 'camera_offline'].includes(workflow.when.kind)
  for (const run of runsOf(workflow)) {
    run.forEach((happening, i) => {
      if (happening.what === 'move' && !allowed(run.slice(0, i), byAuthority)) bad.add(happening.path)
    })
  }
  return bad
}

function allowed(past: Run, byAuthority: boolean): boolean {
  if (byAuthority && undisturbed(past)) return true
  const open: { scope: 'guard' | 'void'; since: number }[] = []
  past.forEach((happening, i) => {
    if (happening.what === 'enter') open.push({ scope: happening.scope, since: i })
    if (happening.what === 'leave') open.pop()
  })
  const lastVoid = open.map(each => each.scope).lastIndexOf('void')
  return open.slice(lastVoid + 1).some(({ since }) => undisturbed(past.slice(since)))
}

function undisturbed(run: Run): boolean {
  let minutes = 0
  for (const happening of run) {
    if (happening.what === 'ai') return false
    if (happening.what === 'wait') minutes += happening.minutes
  }
  return minutes <= 15
}

/** For each step that reads `{reason}`: the most givers of one that any run has passed before it. */
export function mostGivers(workflow: Workflow): Map<string, number> {
  const most = new Map<string, number>()
  for (const run of runsOf(workflow)) {
    const givers = new Set<string>()
    for (const happening of run) {
      if (happening.what === 'gives') givers.add(happening.path)
      if (happening.what !== 'reads') continue
      most.set(happening.path, Math.max(givers.size, most.get(happening.path) ?? 0))
    }
  }
  return most
}

function runsOf(workflow: Workflow): Run[] {
  const reading = workflow.if.some(readsPicture) ? [ai] : []
  const identity = isIdentity(workflow.if)
  const then = listRuns(workflow.then, 'then').map(run => [
    ...reading,
    ...(identity ? within('guard', run) : run),
  ])
  return product(then, listRuns(workflow.always, 'always'))
}

const ai: Happening = { what: 'ai' }
const within = (scope: 'guard' | 'void', run: Run): Run => [
  { what: 'enter', scope },
  ...run,
  { what: 'leave' },
]

function product(first: readonly Run[], second: readonly Run[]): Run[] {
  if (first.length * second.length > 20_000) throw new TooMany()
  return first.flatMap(a => second.map(b => [...a, ...b]))
}

function listRuns(steps: readonly Step[], at: string): Run[] {
  return steps.map((step, i) => stepRuns(step, `${at}[${i}]`)).reduce(product, [[]])
}

function stepRuns(step: Step, at: string): Run[] {
  const inside = (outcome: string) => listRuns(step.paths[outcome] ?? [], `${at}.${outcome}`)
  const first = (happenings: Run, runs: readonly Run[]) => runs.map(run => [...happenings, ...run])
  switch (step.kind) {
    case 'ai':
      return first([ai, { what: 'gives', path: at }], [...inside('seen'), ...inside('unsure')])
    case 'call':
      return first([ai], [...inside('told'), ...inside('no_answer')])
    case 'wait':
      return [[{ what: 'wait', minutes: minutesOf(step.params) }]]
    case 'wait_for': {
      const { until, timeout } = step.params as { until: Condition; timeout: string }
      const waiting: Run = [
        ...(readsPicture(until) ? [ai] : []),
        { what: 'wait', minutes: minutesOf(timeout) },
      ]
      return first(waiting, [...inside('met'), ...inside('timeout')])
    }
    case 'if': {
      const conditions = step.params as Condition[]
      const then = inside('then').map(run => (isIdentity(conditions) ? within('guard', run) : run))
      return first(conditions.some(readsPicture) ? [ai] : [], [...then, ...inside('else')])
    }
    case 'ask_person': {
      const {
        replies,
        default: standard,
        timeout,
      } = step.params as { replies: string[]; default?: string; timeout: string }
      const answered = replies.flatMap(reply =>
        inside(reply).map(run => within(reply === standard ? 'void' : 'guard', run)),
      )
      const silent = inside('no_answer').map(run => within('void', run))
      return first([{ what: 'wait', minutes: minutesOf(timeout) }], [...answered, ...silent])
    }
    case 'for_each': {
      const { max, events } = step.params as { max: number; events?: object }
      const body = inside('do')
      let all: Run[] = [[]]
      let rounds: Run[] = [[]]
      for (let round = 1; round <= max; round++) {
        rounds = product(rounds, body)
        all = [...all, ...rounds]
      }
      return first(events ? [ai] : [], all)
    }
    case 'log':
      return [[{ what: 'reads', path: at }]]
    case 'app':
      return [[{ what: 'move', path: at }]]
    default:
      return [[]]
  }
}

function minutesOf(duration: unknown): number {
  return Number(String(duration).replace('m', ''))
}

function readsPicture(condition: Condition): boolean {
  return JSON.stringify(condition).includes('"text_visible"')
}

/**
 * Whether conditions can hold only where a clean identity is the right one: tries every truth of every other
 * condition, whoever decides it, with all identities being wrong.
 */
function isIdentity(conditions: readonly Condition[]): boolean {
  const others: Condition[] = []
  const collect = (condition: Condition): void => {
    if (condition.kind === 'any' || condition.kind === 'all')
      (condition.params as Condition[]).forEach(collect)
    else if (!isCleanIdentity(condition)) others.push(condition)
  }
  conditions.forEach(collect)
  for (let truth = 0; truth < 2 ** others.length; truth++) {
    const holds = (condition: Condition): boolean => {
      if (condition.kind === 'any') return (condition.params as Condition[]).some(holds)
      if (condition.kind === 'all') return (condition.params as Condition[]).every(holds)
      return isCleanIdentity(condition) ? false : ((truth >> others.indexOf(condition)) & 1) === 1
    }
    if (conditions.every(holds)) return false
  }
  return true
}

/** The one form of it that the generated workflows use: the trigger's plate on a list. */
function isCleanIdentity(condition: Condition): boolean {
  return condition.kind === 'in_list' && (condition.params as { value: string }).value === '{trigger.plate}'
}
