/** Cameras, as the page asks for them. */
import type { CameraView, Polygon, RulesView } from '../../../../site/index.ts'
import { ask, post } from '../../api.ts'
import { speaker } from '../../language.ts'
import { cameras as de } from '../../words/de/cameras.ts'
import { cameras as en } from '../../words/en/cameras.ts'

export const { say, sayCount } = speaker({ en, de })

export type { CameraView, Polygon }
export type Polygons = Readonly<Record<string, Polygon>>

/** How a camera is, for everybody who may see it. */
export interface Seen {
  id: string
  name: string
  roles: string[]
  problem: string | null
  last_frame_at: string | null
  offline_since: string | null
}

export const getCameras = async (): Promise<Seen[]> =>
  (await ask<{ cameras?: Seen[] }>('/system/health')).cameras ?? []

/** What is set of cameras, each by its id. */
export interface SetCameras {
  cameras?: Record<string, SetCamera>
  zones?: Record<string, Polygons>
  masks?: Record<string, Polygons>
  camera_roles?: Record<string, string[]>
}

interface SetPlace {
  url: string
  user?: string
  password?: { secret: string }
}

/** A camera that was added on the box. */
export interface SetCamera {
  name?: string
  roles?: string[]
  source?: Partial<Record<'snapshot' | 'rtsp' | 'onvif', string | SetPlace>> & {
    folder?: string
    nvr?: string
  }
}

export type Rules = Omit<RulesView, 'set'> & { set: SetCameras }

export const getRules = (): Promise<Rules> => ask('/site-rules?without=lists')

type Part = keyof SetCameras

export const setPart = (part: Part, value: SetCameras[Part], version: number): Promise<Rules> =>
  ask(`/site-rules/parts/${part}`, post({ value: value ?? null, version }, 'PUT'))

export interface Tried {
  works: boolean
  message: string | null
  picture: string | null
}

export const tryCamera = (id: string, camera: SetCamera, password: string | null): Promise<Tried> =>
  ask('/site/cameras/try', post({ id, camera, password }))

export const keepPassword = async (password: string): Promise<string> =>
  (await ask<{ secret: string }>('/site/cameras/password', post({ password }))).secret

export const getOffered = async (): Promise<{ id: string; name: string }[]> =>
  (await ask<{ cameras: { id: string; name: string }[] }>('/site/cameras/offered')).cameras

export const discover = async (): Promise<{ url: string; name: string | null }[]> =>
  (await ask<{ cameras: { url: string; name: string | null }[] }>('/site/cameras/discover', post({}))).cameras

export const testCamera = (id: string): Promise<{ outcome: string; message: string }> =>
  ask(`/site/cameras/${id}/test`, post({}))

export const snoozeCamera = (id: string, duration: string | null): Promise<unknown> =>
  ask(`/cameras/${id}/snooze`, post({ for: duration }))
