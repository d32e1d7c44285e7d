import type { Severity } from '../../contract/index.ts'
import type { News } from './ailment.ts'
import type { Sighted, Sort } from './signs.ts'

/** How something is called, and what is said of it. */
const SAID: Record<Sort, { ill: string; flaps: string; well: string; many: string; severity: Severity }> = {
  camera: {
    ill: 'Camera NAME gives no picture',
    flaps: 'Camera NAME comes and goes',
    well: 'Camera NAME gives pictures again',
    many: 'COUNT cameras',
    severity: 'medium',
  },
  connection: {
    ill: 'NAME is not well',
    flaps: 'NAME comes and goes',
    well: 'NAME is well again',
    many: 'COUNT connections',
    severity: 'medium',
  },
  channel: {
    ill: 'Nobody can be told by NAME',
    flaps: 'The channel NAME comes and goes',
    well: 'People are told by NAME again',
    many: 'COUNT channels',
    severity: 'medium',
  },
  model: {
    ill: 'The NAME does not answer',
    flaps: 'The NAME answers now and then',
    well: 'The NAME answers again',
    many: 'COUNT models',
    severity: 'medium',
  },
  process: {
    ill: 'The program for NAME keeps ending',
    flaps: 'The program for NAME keeps ending',
    well: 'The program for NAME runs again',
    many: 'COUNT programs',
    severity: 'high',
  },
}
const MANY: Record<News['kind'], string> = {
  ill: 'are not well',
  flaps: 'come and go',
  well: 'are well again',
}
/** Of many together so many are named. */
const NAMED = 12

export interface Words {
  title: string
  body: string
  severity: Severity
}

/** What people are told of one thing. */
export function wordsFor({ sort, name }: Pick<Sighted, 'sort' | 'name'>, news: News, zone: string): Words {
  const said = SAID[sort]
  return {
    title: said[news.kind].replace('NAME', name),
    body: bodyOf(news, zone),
    severity: news.kind === 'well' ? 'low' : said.severity,
  }
}

/** What they are told where the same befell many of one sort in the same moment. */
export function wordsForMany(sort: Sort, kind: News['kind'], all: { name: string; news: News }[]): Words {
  const said = SAID[sort]
  const names = all.slice(0, NAMED).map(({ name }) => name)
  const more = all.length - names.length
  const reasons = new Set(all.flatMap(({ news }) => ('problem' in news ? [news.problem] : [])))
  const [why, ...others] = reasons
  return {
    title: `${said.many.replace('COUNT', String(all.length))} ${MANY[kind]}`,
    body: [
      `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
      ...(why === undefined ? [] : [`${why}${others.length ? ' And others.' : ''}`]),
    ].join('\n'),
    severity: kind === 'well' ? 'low' : said.severity,
  }
}

function bodyOf(news: News, zone: string): string {
  if (news.kind === 'ill') return `${news.problem}\nSince ${clockOf(news.since, zone)}.`
  if (news.kind === 'flaps')
    return `${news.times} times in the last hour; you are told once it stays well.\n${news.problem}`
  const times = news.times > 1 ? `, with breaks: ${news.times} times` : ''
  return `It was away for ${spanOf(news.until - news.since)}${times}.`
}

/** The site's clock, with the day where it may be another one. */
export function clockOf(at: number, zone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  return `${local.toPlainDate()} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`
}

export function spanOf(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1) return 'less than a minute'
  if (minutes < 120) return minutes === 1 ? 'a minute' : `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}
