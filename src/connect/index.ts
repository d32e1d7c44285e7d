export { SiteCameras } from './cameras.ts'
export { HttpOutgoing } from './http.ts'
export { OwnAlerts } from './own-alerts.ts'
export { FileSecrets } from './secrets.ts'
