import type { Calibration } from './calibration.ts'
import { escaped } from './escaped.ts'

const SIZE = 240
const LEFT = 44
const TOP = 28
const WIDTH = LEFT + SIZE + 16
const HEIGHT = TOP + SIZE + 44
const TICKS = [0, 0.25, 0.5, 0.75, 1]

/**
 * A reliability diagram as SVG: how sure answers were said to be against how many were right, with 95 % intervals.
 * What lies on the diagonal holds what it says. It needs nothing from outside and runs nothing.
 */
export function reliabilityPlot(title: string, { rows, cases }: Calibration): string {
  const x = (share: number) => round(LEFT + share * SIZE)
  const y = (share: number) => round(TOP + (1 - share) * SIZE)
  const grid = TICKS.flatMap(tick => [
    line(x(tick), y(0), x(tick), y(1), 'g'),
    line(x(0), y(tick), x(1), y(tick), 'g'),
    label(x(tick), y(0) + 14, percent(tick), 'middle'),
    label(x(0) - 6, y(tick) + 4, percent(tick), 'end'),
  ])
  const points = rows.flatMap(({ said, was, cases }) => [
    line(x(said), y(was.low), x(said), y(was.high), 'i'),
    `<circle class="p" cx="${x(said)}" cy="${y(was.share)}" r="${round(3 + 5 * Math.sqrt(cases / Math.max(...rows.map(row => row.cases))))}"><title>${cases} cases: ${percent(said)} said, ${percent(was.share)} right</title></circle>`,
  ])
  const name = escaped(`${title} (${cases} cases)`)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${name}">`,
    '<style>text{font:11px sans-serif;fill:#333}.g{stroke:#ddd}.d{stroke:#888;stroke-dasharray:4 4}.i{stroke:#2563a8;stroke-width:2}.p{fill:#2563a8}</style>',
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${LEFT}" y="16">${name}</text>`,
    ...grid,
    line(x(0), y(0), x(1), y(1), 'd'),
    ...points,
    label(x(0.5), y(0) + 34, 'said', 'middle'),
    `<text x="12" y="${y(0.5)}" text-anchor="middle" transform="rotate(-90 12 ${y(0.5)})">right</text>`,
    '</svg>',
  ].join('\n')
}

const round = (n: number) => Math.round(n * 10) / 10
const percent = (share: number) => `${Math.round(share * 100)} %`
const line = (x1: number, y1: number, x2: number, y2: number, kind: string) =>
  `<line class="${kind}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`
const label = (x: number, y: number, text: string, anchor: string) =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${text}</text>`
