export type { Authoring, SystemInfo } from './ports.ts'
export { WebServer } from './server.ts'
