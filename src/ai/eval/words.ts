import type { Interval } from '../../core/index.ts'
import type { Report } from './report.ts'
import { isEarned } from './result.ts'
import type { SourceCalibration, Summary } from './summary.ts'

/** What a report says in tables, for Markdown and the page alike: plain texts, not yet escaped. */
export interface Table {
  head: string[]
  rows: string[][]
}

export const percent = (share: number) => `${Math.round(share * 100)} %`
const within = ({ share, low, high }: Interval) => `${percent(share)} (${percent(low)} to ${percent(high)})`
const PART = { all: 'all', seen: 'seen', held_out: 'held out', traps: 'with a trap' } as const

/** What was judged, where and by what. */
export function factsTable({ at, version, mode, model, vision, eyes, box, cases }: Report): Table {
  const hash = model?.hash ? `sha256 ${model.hash.slice(0, 16)}…` : 'no file of this box'
  const splits = cases.splits.map(split => PART[split]).join(' and ')
  return {
    head: ['', ''],
    rows: [
      ['answers', mode === 'live' ? 'live' : 'fixtures: recorded, or made out of what the cases expect'],
      ['language model', model ? `${model.name} (${hash}, ${model.backend})` : 'none'],
      ...(vision === null ? [] : [['asked about pictures', vision]]),
      ['eyes', eyes ?? 'none'],
      ['box', `${box.class}: ${box.about}`],
      [
        'cases',
        `${cases.suites.join(', ')}; ${splits}; ${cases.own ? 'the program’s own' : 'others'}, ${cases.fingerprint}`,
      ],
      ['when', `${at}, Gatehouse ${version}`],
    ],
  }
}

export function summaryTable(summaries: readonly Summary[]): Table {
  return {
    head: [
      'suite',
      'cases',
      'right (95 %)',
      'unsure',
      'needed tools called',
      'limits hit',
      'p50 / p95',
      'tokens in / out',
    ],
    rows: summaries.map(({ suite, part, cases, right, accuracy, unsure, tools, limits, seconds, tokens }) => [
      `${suite}, ${PART[part]}`,
      `${cases}`,
      `${right}: ${within(accuracy)}`,
      `${unsure.cases} (${unsure.right} rightly)`,
      tools ? `${tools.called} of ${tools.needed}` : '',
      Object.entries(limits)
        .map(([limit, count]) => `${limit} ${count}`)
        .join(', '),
      `${seconds.p50.toFixed(1)} / ${seconds.p95.toFixed(1)} s`,
      `${tokens.in} / ${tokens.out}`,
    ]),
  }
}

export function calibrationTable({ rows }: SourceCalibration): Table {
  return {
    head: ['said', 'cases', 'mean said', 'right (95 %)'],
    rows: rows.map(({ from, to, cases, said, was }) => [
      `${percent(from)} to ${percent(to)}`,
      `${cases}`,
      percent(said),
      within(was),
    ]),
  }
}

export function calibrationWords({ source, cases, auroc, error }: SourceCalibration): string {
  const apart = auroc === null ? 'not known: all are right or all wrong' : auroc.toFixed(2)
  const study = source === 'self_reported' ? ' For study only: nothing is decided by it.' : ''
  return `${cases} decisions. AUROC ${apart} (0.5 is a coin). What was said is off by ${percent(error)} on average.${study}`
}

export function wrongTable(results: Report['results']): Table {
  return {
    head: ['case', 'suite', 'place', 'trap', 'what was wrong', 'tools called'],
    rows: results
      .filter(each => !isEarned(each))
      .map(({ id, suite, split, place, trap, right, wrong, unsure, tools }) => [
        id,
        `${suite}, ${PART[split]}`,
        place,
        trap ?? '',
        `${(right ? [guessed(tools.missing)] : wrong).join('; ')}${unsure ? ` (${unsure})` : ''}`,
        tools.called.join(', '),
      ]),
  }
}

const guessed = (missing: readonly string[]) => `right by a guess: ${missing.join(', ')} was not called`

export function gateRows({ gates }: Report): string[] {
  return gates.map(({ suite, words }) => `${suite}: ${words}`)
}

/** What was not run, by why. */
export function leftOutRows({ left_out: leftOut }: Report): string[] {
  const whys = [...new Set(leftOut.map(({ why, suite }) => `${suite}: ${why}`))]
  return whys.map(why => `${why} (${leftOut.filter(each => `${each.suite}: ${each.why}` === why).length})`)
}
