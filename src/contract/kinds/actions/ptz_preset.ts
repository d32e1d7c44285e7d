import { Type } from '@sinclair/typebox'
import { action } from '../../kind.ts'
import { literal } from '../given.ts'
import { camera, closed, text } from '../params.ts'

export const ptzPreset = action({
  kind: 'ptz_preset',
  description: 'Turns a camera to one of its presets.',
  params: closed({
    camera: Type.Optional(camera("The camera role; the trigger's where absent.")),
    preset: text('The name of the preset.', 64),
  }),
  // Where it is not said which camera, it may be one whose events guard a move: the stricter class counts.
  effect: (it, site) => {
    const [camera] = literal(it.camera)
    const guarded = site?.guardedCameras
    return (camera === undefined ? (guarded?.size ?? 0) > 0 : guarded?.has(camera)) ? 'move' : 'tell'
  },
  templated: ['camera'],
  needs: it => ({ cameras: literal(it.camera), skills: ['ptz'] }),
})
