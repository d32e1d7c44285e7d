export { actions } from './actions/index.ts'
export { cappedFrom, milder } from './actions/severity.ts'
export { conditions, holds, weigh } from './conditions/index.ts'
export { instantOf, inWindow, localTime, siteClock } from './local-time.ts'
export { missing } from './missing.ts'
export { missingIn, toolsWithout } from './needs.ts'
export type * from './ports.ts'
export { tools } from './tools/index.ts'
export { lacking } from './tools/lacking.ts'
export { makeTool } from './tools/make.ts'
export { labelsSought } from './triggers/detect.person_in_zone.ts'
export { triggers } from './triggers/index.ts'
export { nextOccurrence } from './triggers/occurrences.ts'
export {
  type ActionContext,
  type ActionDone,
  type ActionFunction,
  type ActionNotice,
  type ActionRoom,
  type AlertGate,
  type ConditionContext,
  type ConditionFunction,
  type SitePort,
  type ToolFunction,
  type ToolRoom,
  type TriggerFunction,
  Uncertain,
  Undelivered,
  type Values,
} from './types.ts'
export type * from './voice.ts'
export * from './wire/index.ts'
export {
  type Apps,
  type Broker,
  type Clip,
  type Home,
  type Provider,
  type Recorder,
  type Turner,
  type Voice,
  type World,
  wanting,
} from './world.ts'
