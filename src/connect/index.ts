export { SiteCameras } from './cameras.ts'
export { HttpOutgoing } from './http.ts'
export { FileSecrets } from './secrets.ts'
