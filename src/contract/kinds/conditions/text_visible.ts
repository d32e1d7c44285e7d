import { condition } from '../../kind.ts'
import { literal } from '../given.ts'
import { camera, closed, texts } from '../params.ts'

export const textVisible = condition({
  kind: 'text_visible',
  description: 'A camera shows one of these texts.',
  aiPoint: true,
  params: closed({
    camera: camera('The camera role.'),
    contains_any: texts('Texts of which one must be readable.'),
  }),
  needs: it => ({ cameras: literal(it.camera), skills: ['read_text'] }),
})
