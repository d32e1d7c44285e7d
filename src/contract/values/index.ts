export { checkValues } from './check.ts'
export { textsIn } from './references.ts'
export { type Giver, resolve, type Scope, type Scopes, scopesOf, type ValueHere, valuesAt } from './scope.ts'
