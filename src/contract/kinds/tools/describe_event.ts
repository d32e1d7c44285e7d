import { tool } from '../../kind.ts'
import { closed } from '../params.ts'

export const describeEvent = tool({
  kind: 'describe_event',
  effect: 'read',
  description: 'Says what the picture shows that came with this event.',
  notFor: 'Not for what the camera shows now: use describe_camera.',
  params: closed({}),
})
