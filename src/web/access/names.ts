import { identity } from '../../contract/index.ts'
import { GatehouseError } from '../../core/index.ts'

/** Letters, digits and what names are written with; nothing that a page or a shell reads otherwise. */
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} ._'-]{0,62}[\p{L}\p{M}\p{N}.])?$/u
/** As which the box itself speaks. */
const RESERVED = ['this machine', 'this box', 'console', 'this terminal', 'nobody', 'site.yaml']
const CAMERA = /^(?:role:[a-z][a-z0-9_-]{0,63}|[A-Za-z0-9][A-Za-z0-9_-]{0,63})$/
const MOST_CAMERAS = 256

/** A name as names are compared. */
export const keyOf = (name: string): string => identity(name).toLowerCase()

/** Throws `bad_name` (422). */
export function checkName(value: unknown): string {
  const name = typeof value === 'string' ? value.normalize('NFC').trim().replace(/ +/g, ' ') : ''
  if (!NAME.test(name))
    throw refuse('bad_name', 'A name is 1 to 64 letters, digits, spaces or . _ - and begins with a letter.')
  if (RESERVED.includes(keyOf(name)))
    throw refuse('bad_name', `“${name}” is what the box calls itself: choose another name.`)
  return name
}

/** Cameras that somebody may see, or null for all. Throws `bad_cameras` (422). */
export function checkCameras(value: unknown): string[] | null {
  if (value === null || value === undefined) return null
  if (!Array.isArray(value) || value.length > MOST_CAMERAS || !value.every(isCamera))
    throw refuse('bad_cameras', '`cameras` must be a list of camera ids and role:<role>, or null for all.')
  if (!value.length) throw refuse('bad_cameras', 'Name at least one camera, or null for all.')
  return [...new Set(value)]
}

const isCamera = (value: unknown): value is string => typeof value === 'string' && CAMERA.test(value)

const refuse = (code: string, what: string) => new GatehouseError(code, what, { status: 422 })
