import { Type } from '@sinclair/typebox'
import { trigger } from '../../kind.ts'
import { closed, text } from '../params.ts'

export const button = trigger({
  kind: 'button',
  description: 'Somebody pressed the button of this workflow.',
  params: closed({
    label: Type.Optional(text('What the button says; the name of the workflow where absent.', 60)),
  }),
  gives: () => ({
    pressed_by: {
      type: 'text',
      clean: true,
      identity: true,
      description: 'Who pressed, where the box knows it.',
    },
  }),
  tainted: () => false,
  authority: () => true,
})
