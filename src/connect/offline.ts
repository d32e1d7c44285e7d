import { GatehouseError, messageOf } from '../core/index.ts'

/** Why a camera gives no picture, in one line for people; it bears no address and no credential. */
export function offline(message: string, cause?: unknown): GatehouseError {
  return new GatehouseError('camera_offline', message, { status: 502, cause })
}

/** Whatever was thrown, as why a camera gives no picture. */
export function asOffline(error: unknown): GatehouseError {
  if (error instanceof GatehouseError && error.code === 'camera_offline') return error
  return offline(messageOf(error), error)
}
