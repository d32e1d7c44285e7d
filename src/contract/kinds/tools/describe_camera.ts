import { tool } from '../../kind.ts'

export const describeCamera = tool('describe_camera', 'read', 'Says what a camera shows now.')
