import { Type } from '@sinclair/typebox'
import { trigger } from '../../kind.ts'
import { cameraValues, clean } from '../given.ts'
import { closed, duration, names } from '../params.ts'

export const cameraOffline = trigger({
  kind: 'camera_offline',
  description: 'A camera has given no picture for a while.',
  params: closed({
    for: duration('How long it must have been silent.'),
    cameras: Type.Optional(names('Camera roles; any camera where absent.')),
  }),
  gives: () => ({
    ...cameraValues(),
    offline_seconds: clean('number', 'How long the camera has been silent, in seconds.'),
  }),
  tainted: () => false,
  authority: () => true,
  needs: it => ({ cameras: it.cameras ?? [] }),
})
