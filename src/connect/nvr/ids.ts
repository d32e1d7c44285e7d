import type { Site } from '../../site/index.ts'

/** A camera by the number that the NVR's routes take: `cam3` and `cam-3` are 3; anything else is as it is. */
export function numberOf(id: string): string {
  const [, digits] = /^(?:cam-?)?0*(\d{1,9})$/i.exec(id) ?? []
  return digits ?? id
}

/** What the NVR calls a camera of the site: where its picture comes from there, else by its own id. */
export function nvrCameraOf(id: string, site: Pick<Site, 'cameras'>): string {
  const camera = site.cameras.find(each => each.id === id)
  return camera?.source?.kind === 'nvr' ? camera.source.camera : id
}
