export { type Echo, echoOf } from './echo.ts'
export { readEvent, severityOf } from './envelope.ts'
export { cleanJson, parseJson, readJson } from './json.ts'
export { readTime } from './time.ts'
