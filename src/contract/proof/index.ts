export { guardFacts, needsGuard, prove } from './prove.ts'
export { type GuardFact, guardLasts, type Unguarded } from './states.ts'
