export { SiteCameras, type SiteCamerasOptions } from './cameras.ts'
export { HttpOutgoing, type HttpOutgoingOptions } from './http.ts'
export { FileSecrets, type Secrets } from './secrets.ts'
