/** To whom what is set on the box may send secrets: a password goes to no other machine than the one it was given for. */

import { invalid, type Rules } from './rules.ts'
import type { Site } from './site.ts'
import type { CameraSource } from './types.ts'

type Cameras = NonNullable<Rules['cameras']>
type Destinations = NonNullable<Rules['destinations']>

export interface SecretsBefore {
  /** What was set until now. */
  rules: Rules
  base: Site
  /** Of every version whose text is kept and that says something, its cameras as JSON. */
  camerasSaying(text: string): readonly string[]
}

/** Throws `rules_invalid`. */
export function assertSecrets(rules: Rules, before: SecretsBefore): void {
  for (const [name, { headers = {}, sign }] of Object.entries(rules.destinations ?? {})) {
    const named = [...Object.values(headers), sign].filter(each => typeof each === 'object')
    if (named.length && !isAsBefore(name, rules.destinations, before.rules.destinations))
      throw invalid(
        `destinations.${name} names a secret: write it into the site file, where whoever has the machine says to whom secrets are sent.`,
      )
  }
  for (const [id, camera] of Object.entries(rules.cameras ?? {}))
    for (const { secret, host } of passwordsOf({ [id]: camera })) {
      const known = hostsOf(secret, before)
      if (known.size && !known.has(host))
        throw invalid(
          `cameras.${id} sends the password ${secret} to another machine than before: give its password anew.`,
        )
    }
}

function isAsBefore(name: string, now: Destinations = {}, then: Destinations = {}): boolean {
  return Object.hasOwn(then, name) && JSON.stringify(then[name]) === JSON.stringify(now[name])
}

interface Sent {
  secret: string
  host: string
}

/** The machines to which a secret was sent so far. */
function hostsOf(secret: string, { rules, base, camerasSaying }: SecretsBefore): Set<string> {
  const stored = camerasSaying(`"${secret}"`).map(text => JSON.parse(text) as Cameras)
  const sent = [rules.cameras ?? {}, ...stored].flatMap(passwordsOf)
  for (const { source, stream, ptz } of base.cameras)
    for (const place of [source, stream, ptz])
      if (isPlace(place) && place.password)
        sent.push({ secret: place.password.secret, host: hostOf(place.url) })
  const hosts = new Set(sent.filter(each => each.secret === secret).map(({ host }) => host))
  // It opens something else than a camera.
  if (!hosts.size && base.secretNames.includes(secret)) hosts.add('')
  return hosts
}

function passwordsOf(cameras: Cameras): Sent[] {
  return Object.values(cameras).flatMap(({ source, stream, ptz }) =>
    [source?.snapshot, source?.rtsp, source?.onvif, stream, ptz].flatMap(place =>
      typeof place === 'object' && place.password
        ? { secret: place.password.secret, host: hostOf(URL.parse(place.url)) }
        : [],
    ),
  )
}

type Placed = Exclude<CameraSource, { kind: 'folder' | 'nvr' }>

const isPlace = (place: object | null): place is Pick<Placed, 'url' | 'password'> =>
  place !== null && 'url' in place

const hostOf = (url: URL | null): string => url?.hostname.toLowerCase() ?? ''
