import { tool } from '../../kind.ts'

export const recognizeFaces = tool(
  'recognize_faces',
  'read',
  'Compares faces in a picture with enrolled people, where that is switched on.',
)
