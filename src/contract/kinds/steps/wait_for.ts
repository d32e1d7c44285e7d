import { parseDuration } from '../../duration.ts'
import { step } from '../../kind.ts'
import { closed, duration, nestedCondition } from '../params.ts'

export const waitFor = step({
  kind: 'wait_for',
  description: 'Looks again and again until a condition holds or the time is up.',
  params: closed({
    until: nestedCondition,
    every: duration('How often it is looked at.'),
    timeout: duration('When it is given up.'),
  }),
  gives: () => ({}),
  paths: () => ({ place: 'beside', required: [], optional: ['met', 'timeout'] }),
  check: (it, found) => {
    if ((parseDuration(it.every) ?? 0) < 1000) {
      found({
        at: ['every'],
        code: 'interval_too_short',
        message: 'every must be 1s or longer.',
        replace: '1s',
      })
    }
  },
})
