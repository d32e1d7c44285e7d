import { tool } from '../../kind.ts'

export const cameraHealth = tool('camera_health', 'read', 'Says whether a camera works.')
