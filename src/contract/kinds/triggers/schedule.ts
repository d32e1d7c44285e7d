import { Type } from '@sinclair/typebox'
import { cronFault } from '../../cron.ts'
import { parseDuration } from '../../duration.ts'
import { trigger } from '../../kind.ts'
import { clean } from '../given.ts'
import { clock, closed, days, duration } from '../params.ts'

const ways = ['cron', 'every', 'at'] as const

export const schedule = trigger({
  kind: 'schedule',
  description: 'A time of day, an interval or a cron line in the time zone of the site.',
  params: closed({
    cron: Type.Optional(
      Type.String({
        minLength: 9,
        maxLength: 100,
        expects: 'a cron line of five fields such as "0 7 * * mon"',
        description: 'Minute, hour, day of month, month, day of week.',
      }),
    ),
    every: Type.Optional(duration('The interval.')),
    at: Type.Optional(clock('The time of day.')),
    days: Type.Optional(days),
    grace: Type.Optional(duration('How late a missed time may still run after a restart.')),
  }),
  gives: () => ({ scheduled_for: clean('text', 'The time for which the run was planned.') }),
  tainted: () => false,
  authority: () => true,
  check: (it, found) => {
    const used = ways.filter(way => it[way] !== undefined)
    if (used.length !== 1) {
      found({
        at: [],
        code: 'schedule_one_way',
        message: 'A schedule has exactly one of cron, every and at.',
      })
    }
    if (it.days !== undefined && it.at === undefined) {
      found({
        at: ['days'],
        key: true,
        code: 'days_without_at',
        message: 'days goes with at only: name the days in the cron line, or use at.',
      })
    }
    const fault = it.cron === undefined ? null : cronFault(it.cron)
    if (fault) found({ at: ['cron'], code: 'invalid_cron', message: fault })
    if (it.every !== undefined && (parseDuration(it.every) ?? 0) < 10_000) {
      found({
        at: ['every'],
        code: 'interval_too_short',
        message: 'every must be 10s or longer.',
        replace: '10s',
      })
    }
  },
})
