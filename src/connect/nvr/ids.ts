import type { Site } from '../../site/index.ts'

/** A camera by the number that the NVR's routes take: `cam3` and `cam-3` are 3; anything else is as it is. */
export function numberOf(id: string): string {
  const [, digits] = /^(?:cam-?)?0*(\d{1,9})$/i.exec(id) ?? []
  return digits ?? id
}

/** The camera of the site file that the NVR calls so; null: the site has none. */
export function siteCameraOf(id: string, site: Pick<Site, 'cameras'>): string | null {
  const wanted = numberOf(id)
  const named = site.cameras.find(
    ({ source }) => source?.kind === 'nvr' && numberOf(source.camera) === wanted,
  )
  return (named ?? site.cameras.find(camera => numberOf(camera.id) === wanted))?.id ?? null
}

/** What the NVR calls a camera of the site: where its picture comes from there, else by its own id. */
export function nvrCameraOf(id: string, site: Pick<Site, 'cameras'>): string {
  const camera = site.cameras.find(each => each.id === id)
  return camera?.source?.kind === 'nvr' ? camera.source.camera : id
}
