import type { Comparison } from './compare.ts'
import { escaped } from './escaped.ts'
import { reliabilityPlot } from './plot.ts'
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

/** It holds all it needs, runs nothing and fetches nothing, wherever it is opened. */
const HEAD = `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#222}
table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}
th,td{border:1px solid #ddd;padding:.3rem .6rem;text-align:left;vertical-align:top}
.note{background:#fff4d6;border:1px solid #e5c97a;padding:.6rem 1rem}
figure{margin:1rem 0}
</style>`

/** A report as one page of HTML. */
export function pageOf(report: Report, comparison: Comparison | null): string {
  const { title, mode, summaries, calibration, results } = report
  const parts = [
    `<h1>${escaped(title)}</h1>`,
    mode === 'fixtures'
      ? '<p class="note">The answers here are recorded, or made out of what the cases expect. They show that the cases can be solved and that the harness counts; they say nothing of any model.</p>'
      : '',
    table(factsTable(report)),
    '<h2>What came of it</h2>',
    table(summaryTable(summaries)),
    list('Gates', gateRows(report)),
    list('Left out', leftOutRows(report)),
    calibration.length ? '<h2>How sure, and how right</h2>' : '',
    ...calibration.map(
      each =>
        `<h3>${escaped(each.source)}</h3><p>${escaped(calibrationWords(each))}</p><figure>${reliabilityPlot(each.source, each)}</figure>${table(calibrationTable(each))}`,
    ),
    comparison ? compared(comparison) : '',
    '<h2>What was wrong</h2>',
    results.every(isEarned) ? '<p>Nothing.</p>' : table(wrongTable(results)),
  ]
  return `<!doctype html>\n<html lang="en"><head>${HEAD}\n<title>${escaped(title)}</title></head>\n<body>\n${parts.filter(Boolean).join('\n')}\n</body></html>\n`
}

function compared({ before, words, flips, shared, same_cases: same }: Comparison): string {
  const told = `${before.title}, ${before.at}: ${words}. ${shared} cases in both${same ? '' : '; the cases are not the same'}.`
  const rows = flips.map(({ id, expected, before, now, right }) => [
    ...[id, expected, before, now],
    right ? 'got right' : 'went wrong',
  ])
  const flipped = rows.length ? table({ head: ['case', 'expected', 'before', 'now', ''], rows }) : ''
  return `<h2>Beside an earlier run</h2><p>${escaped(told)}</p>${flipped}`
}

function list(heading: string, rows: readonly string[]): string {
  if (!rows.length) return ''
  return `<h2>${heading}</h2><ul>${rows.map(row => `<li>${escaped(row)}</li>`).join('')}</ul>`
}

function table({ head, rows }: Table): string {
  const cells = (tag: string, texts: readonly string[]) =>
    `<tr>${texts.map(text => `<${tag}>${escaped(text)}</${tag}>`).join('')}</tr>`
  const top = head.some(Boolean) ? `<thead>${cells('th', head)}</thead>` : ''
  return `<table>${top}<tbody>${rows.map(row => cells('td', row)).join('')}</tbody></table>`
}
