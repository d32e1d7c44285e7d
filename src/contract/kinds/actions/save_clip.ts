import { action } from '../../kind.ts'
import { literal } from '../given.ts'
import { checkRecording, recording } from './recording.ts'

export const saveClip = action({
  kind: 'save_clip',
  description: 'Keeps a clip of a camera with the run.',
  params: recording,
  effect: () => 'tell',
  templated: ['camera'],
  check: checkRecording,
  needs: it => ({ cameras: literal(it.camera), skills: ['save_clip'] }),
})
