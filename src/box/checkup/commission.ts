import type { JsonValue } from '../../core/index.ts'
import { agoOf, type Check } from './check.ts'
import type { Checkup } from './checkup.ts'

const STATES: Record<string, string> = {
  works: 'works',
  failed: 'does not work',
  left: 'not tried: it moves',
}

/** What stands in a table; what asks for somebody is bold. */
type Cell = string | { strong: string }

/** The page that an installer hands over with the box, as Markdown. */
export function commissionPage({ checks, report }: Checkup, host: string): string {
  const { at, version, box, time_zone, page, disk_free_bytes: free } = report
  const now = Date.parse(at)
  const open = checks.filter(({ state }) => state !== 'good')
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(time_zone)
  return [
    `# Gatehouse on ${plain(host)}`,
    '',
    `Hand-over of ${local.toPlainDate()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })} (${time_zone})`,
    '',
    ...table(
      ['box', ''],
      [
        ['Version', version],
        ['Id', box],
        ['Hardware', hardwareLine(report.hardware)],
        ['Disk', free === null ? 'not known' : `${(free / 1e9).toFixed(1)} GB free`],
        ['Page', page ?? 'on the box itself'],
        ['Models', modelsLine(report.models, report.hardware)],
      ],
    ),
    '## Open problems',
    '',
    ...(open.length ? open.map(line) : ['None.']),
    '',
    '## Cameras',
    '',
    ...table(
      ['camera', 'roles', 'source', 'last picture'],
      report.cameras.map(({ name, roles, source, last_frame_at: last, problem }) => [
        name,
        roles.join(', '),
        source ?? 'events only',
        problem !== null
          ? { strong: 'none' }
          : last === null
            ? 'not asked'
            : `${agoOf(now - Date.parse(last))} ago`,
      ]),
    ),
    '## People',
    '',
    ...table(
      ['person', 'roles', 'told by', 'quiet hours'],
      report.people.map(({ name, roles, channels, quiet }) => [
        ...[name, roles.join(', '), channels.join(', ') || 'the page', quiet ?? ''],
      ]),
    ),
    `Alerts from ${report.alerts.from} on: ${plain(report.alerts.to.join(', '))}.`,
    '',
    '## Channels and destinations',
    '',
    ...table(
      ['name', 'what', 'last test'],
      [
        ...report.channels.map(({ name, kind, tested }) => [
          name,
          `channel, ${kind}`,
          testedWords(tested, now),
        ]),
        ...report.destinations.map(({ name, class: effect, tested }) => [
          name,
          effect,
          testedWords(tested, now),
        ]),
      ],
    ),
    '## Workflows',
    '',
    ...table(
      ['workflow', 'starts by', 'state', 'last run'],
      report.workflows.map(({ name, state, trigger, needs_attention, last_run: last }) => [
        ...[
          name,
          trigger,
          needs_attention === null || state === 'off' ? state : { strong: 'needs attention' },
        ],
        last === null ? 'never' : `${agoOf(now - Date.parse(last))} ago`,
      ]),
    ),
    'Handed over by ______________________ to ______________________',
    '',
  ].join('\n')
}

/** One thing that is not as it should be. */
function line({ area, name, state, text, advice }: Check): string {
  const what = `${area}${name === null ? '' : ` ${name}`}`
  const mark = state === 'bad' ? '**To do:** ' : ''
  return `* ${mark}${plain(`${what}: ${text}${advice === null ? '' : ` ${advice}`}`)}`
}

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  if (!rows.length) return ['None.', '']
  const row = (cells: readonly Cell[]) => `| ${cells.map(cell).join(' | ')} |`
  return [row(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(row), '']
}

function testedWords(tested: Checkup['report']['channels'][number]['tested'], now: number): Cell {
  if (!tested) return 'never'
  const words = `${STATES[tested.outcome] ?? tested.outcome}, ${agoOf(now - Date.parse(tested.at))} ago`
  return tested.outcome === 'failed' ? { strong: words } : words
}

function hardwareLine(hardware: JsonValue): string {
  const { board, cpu, ram_bytes: ram } = fieldsOf(hardware)
  const { model, cores } = fieldsOf(cpu)
  const gigabytes = typeof ram === 'number' ? `${Math.round(ram / 1024 ** 3)} GB of memory` : null
  const processor = model == null ? null : `${model}${cores == null ? '' : `, ${cores} cores`}`
  return [board, processor, gigabytes].filter(each => each != null).join('; ')
}

/** Which language model, and how quick it was measured to be. */
function modelsLine(models: JsonValue, hardware: JsonValue): string {
  const { language } = fieldsOf(models)
  const { measured } = fieldsOf(hardware)
  const { detect, language: turn } = fieldsOf(measured ?? null)
  const named = language == null ? 'no language model' : String(fieldsOf(language).name)
  const seconds = (value: JsonValue | undefined) =>
    typeof value === 'number' ? `${value.toPrecision(2)} s` : null
  const look = seconds(fieldsOf(detect ?? null).seconds)
  const turns = seconds(fieldsOf(turn ?? null).turn_seconds)
  return [
    named,
    look === null ? 'not measured (gatehouse hardware --measure)' : `${look} to look at a picture`,
    ...(turns === null ? [] : [`${turns} a turn`]),
  ].join('; ')
}

function fieldsOf(value: JsonValue | undefined): Record<string, JsonValue | undefined> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {}
}

/** Texts of the site stay text: nothing in them is Markdown. */
function plain(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/([\\`<>|])/g, '\\$1')
}

function cell(content: Cell): string {
  return typeof content === 'string' ? plain(content) : `**${plain(content.strong)}**`
}
