export { MediaFiles } from './media-files.ts'
export type * from './rows.ts'
export { Store, type StoreOptions } from './store.ts'
export type { NewRun } from './tables/runs.ts'
