export { byLabel, type Metric } from './metrics.ts'
export type { Authoring, SystemInfo } from './ports.ts'
export { WebServer } from './server.ts'
