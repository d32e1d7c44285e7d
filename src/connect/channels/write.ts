import { createHash } from 'node:crypto'
import { SEVERITIES, type Severity } from '../../contract/index.ts'
import { iso } from '../../core/index.ts'
import type { ApprovalView, NoticeView } from '../../engine/index.ts'
import type { Site } from '../../site/index.ts'
import type { Surplus } from '../notices/channel.ts'
import { answerLines } from '../notices/reply-lines.ts'
import { severityOf } from './lanes.ts'
import { lines, type Message, type MessagePicture, oneLine } from './message.ts'

/** What is known around a message. */
export interface Around {
  id: string
  silent: boolean
  site: Site
  boxId: string
  /** A stored picture, made small; null: it is gone, or could not be made. Absent: none goes along. */
  picture?: (media: number) => Promise<MessagePicture | null>
}

export function noticeMessage(notice: NoticeView, { id, silent, site, boxId, picture }: Around): Message {
  const { kind, severity, run, workflow, camera_id: camera, media } = notice
  const cameraName = camera === null ? null : (site.cameraName(camera) ?? camera)
  const isAlert = kind === 'alert'
  return {
    ...{ id, kind, silent, at: notice.at },
    severity: severityOf(severity),
    title: oneLine(isAlert ? notice.title : (workflow?.name ?? 'Gatehouse')),
    body: lines(
      isAlert ? notice.body || where(notice.title, cameraName) || (workflow?.name ?? '') : notice.title,
    ),
    link: linkTo(site, run),
    // One run may tell of several cameras: each stays told.
    thread: run === null ? null : threadOf(boxId, run, kind, camera ?? ''),
    correlationId: notice.correlation_id ?? id,
    picture: media === null || !picture ? null : () => picture(media),
    facts: {
      run,
      workflow: workflow && { slug: workflow.slug, name: workflow.name },
      camera,
      camera_name: cameraName,
      who: notice.audience === null ? [] : notice.audience.split(', '),
      chain: notice.chain,
    },
  }
}

/** A camera's name, where the text does not say it. */
function where(title: string, camera: string | null): string {
  return camera === null || title.includes(camera) ? '' : camera
}

/** `secret`: of a link by which whoever is told answers without a login; null: there is none. */
export function questionMessage(
  question: ApprovalView,
  { id, silent, site, boxId, picture }: Around,
  secret: string | null,
): Message {
  const { run, workflow, camera, camera_name, replies, by_ai, deadline, pictures } = question
  const [media] = pictures
  const until = Temporal.Instant.from(deadline).toZonedDateTimeISO(site.timeZone)
  return {
    ...{ id, kind: 'question', severity: 'high', silent, at: question.asked_at },
    title: oneLine(workflow.name),
    body: lines(
      [
        question.message,
        ...(by_ai ? ['(Parts of this were written by AI or by somebody outside.)'] : []),
        ...answerLines(replies),
        `Until ${until.toPlainTime().toString({ smallestUnit: 'second' })}, ${site.reach.page === null ? 'on the page of the box' : 'at the link'}.`,
        ...(secret === null ? [] : ['The link is yours alone: whoever opens it may answer in your name.']),
      ].join('\n'),
    ),
    link: secret === null ? linkTo(site, run) : `${site.reach.page}/answer/${secret}`,
    // Not that of the run: what is told later must not take the place of a question that is open.
    thread: threadOf(boxId, run, 'question', question.id),
    correlationId: id,
    picture: media === undefined || !picture ? null : () => picture(media),
    facts: {
      run,
      workflow: { slug: workflow.slug, name: workflow.name },
      camera,
      camera_name,
      who: question.who,
      question: question.id,
      replies: replies.map(({ reply }) => reply),
      deadline,
    },
  }
}

/** What was too much for one by one. */
export function surplusMessage(
  { count, worst }: Surplus<NoticeView>,
  { id, silent, site }: Around,
  now: number,
): Message {
  const severity = worst[0] ? severityOf(worst[0].severity) : 'low'
  const more = count - worst.length
  return {
    ...{ id, kind: 'summary', severity, silent, at: iso(now) },
    title: `And ${count} more`,
    body: lines(
      [
        ...worst.map(({ severity: each, title }) => `• ${each}: ${oneLine(title)}`),
        ...(more > 0 ? [`and ${more} more on the page`] : []),
      ].join('\n'),
    ),
    link: linkTo(site, null),
    thread: null,
    correlationId: id,
    picture: null,
    facts: { count, worst: worst.map(({ id: notice, run }) => ({ notice, run })) },
  }
}

/** Whether this channel works is seen by whoever is told. */
export function testMessage(channel: string, { id, site, boxId }: Around, now: number): Message {
  return {
    ...{ id, kind: 'test', severity: 'medium', silent: false, at: iso(now) },
    title: 'A test of Gatehouse',
    body: `Whoever reads this is told by the channel ${channel}.`,
    link: linkTo(site, null),
    thread: null,
    correlationId: `${boxId}.test`,
    picture: null,
    facts: {},
  }
}

/** What weighs more is told first. */
export function weightOf({ severity }: { severity: string }): number {
  return SEVERITIES.indexOf(severity as Severity)
}

function threadOf(boxId: string, run: number, ...which: (string | number)[]): string {
  const what = JSON.stringify([boxId, run, ...which])
  return `run-${createHash('sha256').update(what).digest('hex').slice(0, 20)}`
}

/** Where it is seen on the page, which asks who is there: opening it decides nothing. */
function linkTo(site: Site, run: number | null): string | null {
  const { page } = site.reach
  if (page === null) return null
  return run === null ? `${page}/` : `${page}/runs/${run}`
}
