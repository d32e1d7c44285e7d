import { iso, type JsonValue } from '../../core/index.ts'
import type { EngineApi, WorkflowView } from '../../engine/index.ts'
import { type Hardware, notesOn } from '../../hardware/index.ts'
import type { SiteTestRow } from '../../store/index.ts'
import { agoOf, bad, type Check, good, note } from './check.ts'

/** How the site file is. */
export function fileChecks(
  problem: string | null,
  warnings: readonly { line: number; message: string }[],
): Check[] {
  const odd = warnings.map(({ line, message }) => note('Site file', `line ${line}`, message))
  return problem === null
    ? [good('Site file', null, 'It is in force.'), ...odd]
    : [
        bad(
          'Site file',
          null,
          `It is not in force: ${problem}`,
          'Correct it; until then what it said before counts.',
        ),
      ]
}

/** The files that ship, as they are listed under `models`. */
export function modelChecks(view: JsonValue): Check[] {
  const { models } = (view ?? {}) as { models?: { name: string; files: { path: string; state: string }[] }[] }
  const files = (models ?? []).flatMap(({ name, files: each }) => each.map(file => ({ name, ...file })))
  const wrong = files.filter(({ state }) => state !== 'ok')
  if (!wrong.length) return [good('Models', null, `All ${files.length} files that ship are whole.`)]
  return wrong.map(({ name, path, state }) =>
    bad(
      'Model',
      name,
      `${path} is ${state === 'missing' ? 'not there' : 'not what it should be'}.`,
      'Look: gatehouse models verify',
    ),
  )
}

/** What the box is, as far as its owner may want to change it. */
export function hardwareChecks(hardware: Hardware): Check[] {
  return notesOn(hardware).map(each => note('Box', null, each))
}

export function diskChecks({ low, free_bytes: free }: ReturnType<EngineApi['upkeep']['view']>): Check[] {
  const room = free === null ? 'How much is free is not known.' : `${gigabytes(free)} are free.`
  return low
    ? [bad('Disk', null, `No new runs are taken: it is nearly full. ${room}`, 'Make room.')]
    : [good('Disk', null, room)]
}

export function workflowChecks(workflows: readonly WorkflowView[]): Check[] {
  const checks = workflows.flatMap(({ name, needs_attention: why, state }): Check[] => {
    if (why !== null && state !== 'off') return [bad('Workflow', name, `It stands still: ${why}`)]
    return state === 'test'
      ? [
          note(
            'Workflow',
            name,
            'It is in Test: nothing leaves the box.',
            'Switch it On when its runs are right.',
          ),
        ]
      : []
  })
  const on = workflows.filter(({ state, needs_attention: why }) => state === 'on' && why === null).length
  return [
    on
      ? good('Workflows', null, `${on} of ${workflows.length} are On.`)
      : note('Workflows', null, workflows.length ? 'None is On.' : 'There is none yet.'),
    ...checks,
  ]
}

/** What waits for a person. */
export function waitingChecks(unsettled: number, questions: number): Check[] {
  return [
    ...(unsettled
      ? [
          bad(
            'Moves',
            null,
            `Of ${unsettled} nobody knows whether they happened.`,
            'Look, and say so on the page.',
          ),
        ]
      : []),
    ...(questions ? [note('Questions', null, `${questions} wait for an answer.`)] : []),
  ]
}

/** Cameras, by what was last heard of them. */
export function cameraChecks(
  cameras: readonly {
    id: string
    name: string
    hasSource: boolean
    problem: string | null
    lastFrameAt: number | null
  }[],
  now: number,
): Check[] {
  if (!cameras.length)
    return [note('Cameras', null, 'There is none.', 'Name yours under cameras in the site file.')]
  return cameras.map(({ id, name, hasSource, problem, lastFrameAt }) => {
    if (!hasSource) return note('Camera', name, 'It has no source: its pictures come with events only.')
    if (problem !== null) return bad('Camera', name, problem)
    if (lastFrameAt === null)
      return note('Camera', name, 'It was not asked yet.', `Ask it: gatehouse test camera ${id}`)
    return good('Camera', name, `It gave a picture ${agoOf(now - lastFrameAt)} ago.`)
  })
}

/** Channels and what came of their last tests; connections that are not well. */
export function lineChecks(
  {
    channels,
    channelProblems,
    connectionProblems,
    tests,
  }: {
    channels: readonly string[]
    channelProblems: Readonly<Record<string, string>>
    connectionProblems: Readonly<Record<string, string>>
    tests: readonly SiteTestRow[]
  },
  now: number,
): Check[] {
  const { Channels: _each, ...connections } = connectionProblems
  return [
    ...Object.entries(connections).map(([name, why]) => bad('Connection', name, why)),
    ...channels.map(name => {
      const problem = channelProblems[name]
      if (problem !== undefined) return bad('Channel', name, problem)
      const test = tests.find(each => each.kind === 'channel' && each.name === name)
      const how = `Try it: gatehouse test channel ${name}`
      if (!test) return note('Channel', name, 'It was never tried.', how)
      const when = `${agoOf(now - test.at)} ago`
      return test.outcome === 'works'
        ? good('Channel', name, `A test went out ${when}.`)
        : bad('Channel', name, `A test did not go out ${when}: ${test.message}`, how)
    }),
  ]
}

export function timeChecks(zone: string, now: number): Check[] {
  // Older than this program: the box has no clock that goes on while it is off.
  return now < Date.UTC(2025, 0, 1)
    ? [bad('Clock', null, `It says ${iso(now)}.`, 'Set it, by NTP where there is a network.')]
    : [good('Clock', null, `It says ${iso(now).slice(0, 16)}Z; the site’s zone is ${zone}.`)]
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(bytes < 1e10 ? 1 : 0)} GB`
}
