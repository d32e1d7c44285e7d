export { checkValues } from './check.ts'
export { textsIn } from './references.ts'
export { resolve, type ValueHere, valuesAt } from './resolve.ts'
export { type Giver, type Scope, type Scopes, scopesOf } from './scope.ts'
