import type { Rules } from './rules.ts'
import type { Camera, CameraSource, CameraView } from './types.ts'

/** A camera as whoever looks after the site sees it: nothing by which somebody else gets in. */
export function cameraView({ id, name, from, source, zones, masks }: Camera, rules: Rules): CameraView {
  const origin = (set: object | undefined) => (Object.hasOwn(set ?? {}, id) ? 'page' : from)
  return {
    camera: id,
    name,
    from,
    source: source && sourceView(source),
    zones: Object.fromEntries(zones),
    zones_from: origin(rules.zones),
    masks: Object.fromEntries(masks),
    masks_from: origin(rules.masks),
  }
}

function sourceView(source: CameraSource): NonNullable<CameraView['source']> {
  const { kind } = source
  if (kind === 'folder') return { kind, place: source.path, user: null, password: false }
  if (kind === 'nvr') return { kind, place: source.camera, user: null, password: false }
  const { url, user, password } = source
  return { kind, place: `${url.protocol}//${url.host}${url.pathname}`, user, password: password !== null }
}
