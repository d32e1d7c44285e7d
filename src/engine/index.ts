export { type CheckOptions, check } from './check.ts'
export { Engine } from './engine.ts'
export type { EngineDeps, EngineOptions, Look } from './ports.ts'
export type * from './types.ts'
