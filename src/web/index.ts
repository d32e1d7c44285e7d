export type { PageBundle } from './page-bundle.ts'
export type { Authoring, MediaSource, SystemInfo, WebDeps } from './ports.ts'
export { WebServer } from './server.ts'
