import { Type } from '@sinclair/typebox'
import { condition } from '../../kind.ts'
import { clock, closed, days } from '../params.ts'

export const time = condition({
  kind: 'time',
  description: 'The local time lies in a window, which may go over midnight.',
  params: closed({
    from: clock('When the window begins (inclusive).'),
    to: clock('When the window ends (exclusive).'),
    days: Type.Optional(days),
  }),
  check: (it, found) => {
    if (it.from === it.to) {
      found({
        at: ['to'],
        code: 'empty_window',
        message: 'The window ends when it begins: give another time, or leave the condition out.',
      })
    }
  },
})
