import { tool } from '../../kind.ts'

export const cameraSnapshot = tool('camera_snapshot', 'read', 'Takes a picture of a camera now.')
