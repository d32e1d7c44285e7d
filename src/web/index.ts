export { byLabel, type Metric } from './metrics.ts'
export { confidence as confidenceWords } from './page/words.ts'
export type { Authoring, SystemInfo } from './ports.ts'
export { WebServer } from './server.ts'
