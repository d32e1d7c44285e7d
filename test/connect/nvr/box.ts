import { onTestFinished } from 'vitest'
import { Nvr, type NvrOptions } from '../../../src/connect/nvr/nvr.ts'
import { systemClock } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { KEY, type NvrServer, TOKEN } from './server.ts'

export const signal = (ms = 10_000) => AbortSignal.timeout(ms)

/** What a site file says of a server. */
export const section = ({ url }: NvrServer, more = 'token: { secret: token }') =>
  `nvr: { url: "${url}", key: { secret: key }, ${more} }`

export interface NvrBox {
  nvr: Nvr
  site: Site
  secrets: Record<string, string>
}

/** The box's side of the NVR, with a site file that can be changed. */
export function nvrBox(server: NvrServer, yaml = '', options: Partial<NvrOptions> = {}): NvrBox {
  const secrets: Record<string, string> = { key: KEY, token: TOKEN }
  const box = { site: Site.load(`${section(server)}\n${yaml}`, '/data/site.yaml'), secrets } as NvrBox
  box.nvr = new Nvr({
    site: () => box.site,
    clock: systemClock,
    secrets: { get: name => secrets[name] ?? null },
    ownPorts: () => [],
    ...options,
  })
  onTestFinished(() => box.nvr.stop())
  return box
}
