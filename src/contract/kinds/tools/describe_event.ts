import { tool } from '../../kind.ts'

export const describeEvent = tool('describe_event', 'read', 'Says what the picture of an event shows.')
