import { Type } from '@sinclair/typebox'
import { action } from '../../kind.ts'
import { literal } from '../given.ts'
import { camera, closed, text } from '../params.ts'

export const speak = action({
  kind: 'speak',
  description: 'Speaks through the loudspeaker of a camera.',
  params: closed({
    text: text('What is said; it may hold placeholders.', 500),
    camera: Type.Optional(camera("The camera role; the trigger's where absent.")),
  }),
  effect: () => 'tell',
  templated: ['text', 'camera'],
  needs: it => ({ cameras: literal(it.camera), skills: ['speak'] }),
})
