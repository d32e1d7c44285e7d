/** The files beside this one, and the sites that some of them ask for in a line `# site: {…}`. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Effect, SiteView } from '../../../src/contract/index.ts'

export interface Case {
  file: string
  text: string
  site: SiteView | undefined
  /** `<code> <line>:<column>` of the one error that a refused file has. */
  expected: string | undefined
}

/** The cases of one folder, in the order of their names. */
export function cases(folder: 'refused' | 'accepted'): Case[] {
  const path = join(import.meta.dirname, folder)
  return readdirSync(path)
    .sort()
    .map(file => {
      const text = readFileSync(join(path, file), 'utf8')
      const site = /^# site: (.*?)\r?$/m.exec(text)?.[1]
      return {
        file,
        text,
        site: site === undefined ? undefined : siteOf(JSON.parse(site)),
        expected: /^# expect: (.*?)\r?$/m.exec(text)?.[1],
      }
    })
}

interface Written {
  destinations?: Record<string, Effect>
  apps?: Record<string, Record<string, boolean>>
  [names: string]: unknown
}

/** A site that knows the usual names and what is written. */
export function siteOf(written: Written): SiteView {
  const names = (key: string, usual: string[] = []) =>
    new Set([...usual, ...((written[key] ?? []) as string[])])
  const apps = { 'gate-controller': {}, siren: {}, nvr: {}, lights: {}, ...written.apps }
  return {
    roles: names('roles', ['gate', 'yard']),
    lists: names('lists', ['residents']),
    people: names('people', ['Ann Lee']),
    personRoles: names('personRoles', ['guard', 'owner']),
    destinations: new Map(Object.entries(written.destinations ?? {})),
    apps: new Map(
      Object.entries(apps).map(([id, actions]) => [
        id,
        new Map(
          Object.entries({ open: false, start: false, ...actions }).map(([name, informing]) => [
            name,
            { informing },
          ]),
        ),
      ]),
    ),
    tools: names('tools'),
    plainAlertSources: names('plainAlertSources'),
    trustedWebhook: written.trustedWebhook === true,
    informingServices: names('informingServices'),
    guardedCameras: names('guardedCameras'),
    plateConfidence: 0.9,
  }
}
