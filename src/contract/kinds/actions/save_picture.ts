import { action } from '../../kind.ts'
import { literal } from '../given.ts'
import { checkRecording, recording } from './recording.ts'

export const savePicture = action({
  kind: 'save_picture',
  description: 'Keeps a picture of a camera with the run.',
  params: recording,
  effect: () => 'tell',
  templated: ['camera'],
  check: checkRecording,
  needs: it => ({ cameras: literal(it.camera), skills: ['save_picture'] }),
})
