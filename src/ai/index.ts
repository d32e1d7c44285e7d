export { runLook } from './look.ts'
export type * from './types.ts'
