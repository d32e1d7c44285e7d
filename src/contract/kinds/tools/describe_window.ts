import { tool } from '../../kind.ts'

export const describeWindow = tool(
  'describe_window',
  'read',
  'Says what a camera showed over a stretch of time.',
)
