import { onTestFinished } from 'vitest'
import { Nvr, type NvrOptions } from '../../../src/connect/nvr/nvr.ts'
import { noLog, systemClock } from '../../../src/core/index.ts'
import { Site, SiteMode } from '../../../src/site/index.ts'
import { Store } from '../../../src/store/index.ts'
import { temporaryFolder } from '../helpers.ts'
import { KEY, type NvrServer, TOKEN } from './server.ts'

export const signal = (ms = 10_000) => AbortSignal.timeout(ms)

/** What a site file says of a server. */
export const section = ({ url }: NvrServer, more = 'token: { secret: token }') =>
  `nvr: { url: "${url}", key: { secret: key }, ${more} }`

export interface NvrBox {
  nvr: Nvr
  site: Site
  store: Store
  secrets: Record<string, string>
}

/** The box's side of the NVR, with a site file that can be changed; `dir` is the data folder of one before. */
export function nvrBox(
  server: NvrServer,
  yaml = '',
  { dir = temporaryFolder(), ...options }: Partial<NvrOptions> & { dir?: string } = {},
): NvrBox {
  const secrets: Record<string, string> = { key: KEY, token: TOKEN }
  const text = yaml.includes('nvr: {') ? yaml : `${section(server)}\n${yaml}`
  const store = new Store({ dir, clock: systemClock })
  store.start()
  onTestFinished(() => store.stop())
  const box = { site: Site.load(text, '/data/site.yaml'), secrets, store } as NvrBox
  box.nvr = new Nvr({
    site: () => box.site,
    clock: systemClock,
    log: noLog,
    siteMode: new SiteMode(store, () => box.site),
    store,
    onApps: async () => undefined,
    secrets: { get: name => secrets[name] ?? null },
    ownPorts: () => [],
    ...options,
  })
  onTestFinished(() => box.nvr.stop())
  return box
}
