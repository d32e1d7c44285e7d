import { tool } from '../../kind.ts'

export const detectObjects = tool(
  'detect_objects',
  'read',
  'Counts and names what the detector finds in a picture.',
)
