import { GatehouseError, messageOf } from '../../core/index.ts'

/** Why a camera gives no picture, in one line for people; it bears no address and no credential. */
export function offline(message: string, cause?: unknown): GatehouseError {
  return new GatehouseError('camera_offline', message, { status: 502, cause })
}

/** Whatever was thrown, as why a camera gives no picture; that this box is busy says nothing of the camera. */
export function asOffline(error: unknown): GatehouseError {
  const isKnown = error instanceof GatehouseError && ['camera_offline', 'busy'].includes(error.code)
  return isKnown ? error : offline(messageOf(error), error)
}
