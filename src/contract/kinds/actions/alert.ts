import { Type } from '@sinclair/typebox'
import { action } from '../../kind.ts'
import { literal } from '../given.ts'
import { attach, camera, closed, severity, text } from '../params.ts'

export const alert = action({
  kind: 'alert',
  description: 'Raises an alert that people and other systems see.',
  params: closed({
    severity,
    title: text('One line; it may hold placeholders.', 200),
    description: Type.Optional(text('The longer text; it may hold placeholders.')),
    camera: Type.Optional(camera("The camera that it is about; the trigger's where absent.")),
    attach: Type.Optional(attach),
  }),
  effect: () => 'tell',
  templated: ['title', 'description', 'camera'],
  needs: it => ({ cameras: literal(it.camera) }),
})
