import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '../box/resources.ts'
import { messageOf, systemClock } from '../core/index.ts'
import { type Hardware, probe } from '../hardware/index.ts'
import { Catalogue, InstalledModels } from '../models/index.ts'
import { Site, siteInForce } from '../site/index.ts'
import { peekSiteRules } from '../store/index.ts'
import { exit, print, readText } from './command.ts'

/** What commands about models ask: the catalogue, what is installed, and the box. */
export interface ModelsBox {
  catalogue: Catalogue
  installed: InstalledModels
  hardware: Hardware
}

export function modelsBox(dataDir: string): ModelsBox {
  const catalogue = Catalogue.load(resources().models)
  const hardware = probe({ dataPath: dataDir })
  return {
    catalogue,
    hardware,
    installed: new InstalledModels({ dataDir, catalogue, hardware, clock: systemClock }),
  }
}

/** The site of a data folder; `problem` says why its file is not understood. */
export async function siteOf(dataDir: string): Promise<{ site: Site; problem: string | null }> {
  const file = join(dataDir, 'site.yaml')
  if (!existsSync(file)) return { site: new Site(), problem: null }
  try {
    return { site: Site.load(await readText(file), file), problem: null }
  } catch (error) {
    return { site: new Site(), problem: messageOf(error) }
  }
}

/** The same as it is in force, with what was set on the box; beside a box that is up, too. */
export async function siteInForceOf(dataDir: string): Promise<{ site: Site; problem: string | null }> {
  const { site, problem } = await siteOf(dataDir)
  return { site: siteInForce(site, peekSiteRules(dataDir)), problem }
}

/** What is installed and a site asks, with the key of the site file that names it. */
export function inUse({ language, vision }: Site): { name: string; key: 'language' | 'vision' }[] {
  return [
    ...(language?.kind === 'file' ? [{ name: language.file, key: 'language' as const }] : []),
    ...(vision?.kind === 'folder' ? [{ name: vision.folder, key: 'vision' as const }] : []),
  ]
}

/** Prints for programs or for people. */
export function tell(json: boolean, data: unknown, lines: readonly string[]): number {
  if (json) print(JSON.stringify(data))
  else for (const line of lines) print(line)
  return exit.done
}
