export { effectAt, guardingCameras, needsGuard } from './moves.ts'
export { guardFacts, prove } from './prove.ts'
export { type GuardFact, guardLasts, type Unguarded } from './states.ts'
