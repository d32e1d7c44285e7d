/** The contract: `workflow.v1` files, their kinds, what is wrong with one, and how it is printed. */
export { type CamerasNamed, camerasNamed } from './cameras.ts'
export { oddCharacter, plainText } from './characters.ts'
export { appFaults } from './check-app.ts'
export { type Cron, parseCron } from './cron.ts'
export { type Deed, type Deeds, deedsOf, readsOf, saidOf } from './deeds.ts'
export { parseDuration } from './duration.ts'
export * from './edit/index.ts'
export { foldText, identity, sameIdentity } from './identity.ts'
export { jsonSchema } from './json-schema.ts'
export type {
  ActionDescriptor,
  ConditionDescriptor,
  Given,
  KindDescriptor,
  NodeNeeds,
  StepDescriptor,
  ToolDescriptor,
  TriggerDescriptor,
  ValueType,
} from './kind.ts'
export {
  actionKind,
  conditionKind,
  flowKind,
  stepKind,
  TOOL_KINDS,
  toolKind,
  triggerKind,
} from './kinds/index.ts'
export { DAYS, SEVERITIES } from './kinds/params.ts'
export type { ToolKind } from './kinds/tools/index.ts'
export { eventSchemas } from './kinds/triggers/payloads.ts'
export { matches, yesNo } from './matcher.ts'
export { nearest } from './nearest.ts'
export { exportForm, exportYaml, fillNeeds } from './needs.ts'
export { parse, reread } from './parse.ts'
export { fill, fillParts, placeholdersIn } from './placeholders.ts'
export { print } from './print.ts'
export { printYaml } from './print-yaml.ts'
export {
  effectAt,
  type GuardFact,
  guardFacts,
  guardingCameras,
  guardLasts,
  needsGuard,
} from './proof/index.ts'
export { type Registry, type RegistryEntry, registry } from './registry.ts'
export { RENAMED, type Renaming, rename } from './rename.ts'
export { applyFix } from './reporter.ts'
export { type Tokens, tokensOf } from './source-tokens.ts'
export * from './tree.ts'
export type * from './types.ts'
export { resolve, type Scope, scopesOf, type ValueHere, valuesAt } from './values/index.ts'
