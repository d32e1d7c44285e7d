import type { Comparison } from './compare.ts'
import type { Report } from './report.ts'
import { isEarned } from './result.ts'
import {
  calibrationTable,
  calibrationWords,
  factsTable,
  gateRows,
  leftOutRows,
  summaryTable,
  type Table,
  wrongTable,
} from './words.ts'

/** A report as Markdown. What comes from cases and models cannot break out of its cell. */
export function markdownOf(report: Report, comparison: Comparison | null): string {
  const { title, summaries, calibration, results } = report
  const parts = [
    `# ${plain(title)}`,
    table(factsTable(report)),
    '## What came of it',
    table(summaryTable(summaries)),
    ...list('## Gates', gateRows(report)),
    ...list('## Left out', leftOutRows(report)),
    ...(calibration.length ? ['## How sure, and how right'] : []),
    ...calibration.flatMap(each => [
      `### ${each.source}`,
      calibrationWords(each),
      table(calibrationTable(each)),
    ]),
    ...(comparison ? compared(comparison) : []),
    '## What was wrong',
    results.every(isEarned) ? 'Nothing.' : table(wrongTable(results)),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Two runs held against each other. */
function compared({ before, words, flips, shared, same_cases: same }: Comparison): string[] {
  return [
    '## Beside an earlier run',
    `${plain(before.title)}, ${plain(before.at)}: ${plain(words)}. ${shared} cases in both${same ? '' : '; the cases are not the same'}.`,
    ...(flips.length
      ? [
          table({
            head: ['case', 'expected', 'before', 'now', ''],
            rows: flips.map(({ id, expected, before, now, right }) => [
              ...[id, expected, before, now],
              right ? 'got right' : 'went wrong',
            ]),
          }),
        ]
      : []),
  ]
}

function list(heading: string, rows: string[]): string[] {
  return rows.length ? [heading, rows.map(row => `* ${plain(row)}`).join('\n')] : []
}

function table({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

/** On one line, and nothing in it is a mark of Markdown or HTML. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu, ' ')
    .replace(/[\\`*_[\]<>|#&~]/g, sign => (/[\\`*_[\]|#~]/.test(sign) ? `\\${sign}` : (HTML[sign] ?? sign)))
}

const HTML: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' }
