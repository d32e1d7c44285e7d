import type { SiteRulesRow } from '../store/index.ts'
import { appsJson } from './apps.ts'
import { cameraView } from './camera-view.ts'
import type { Rules } from './rules.ts'
import type { Site } from './site.ts'
import type { RuleSource, RulesView } from './types.ts'

interface Shown {
  /** The site file alone. */
  base: Site
  site: Site
  rules: Rules
  version: number
  row: Pick<SiteRulesRow, 'at' | 'author'> | null
}

/** The site's rules for people: what was set on this box, and what is in force, each with where it is from. */
export function rulesView({ base, site, rules, version, row }: Shown): RulesView {
  const content = site.rules
  const file = base.rules
  const { unreachable } = site.view()
  const from = (set: boolean): RuleSource => (set ? 'page' : 'file')
  const has = (of: object | undefined, name: string) => of !== undefined && Object.hasOwn(of, name)
  const listed = { ...file.destinations, ...file.topics }
  const origin = (name: string) => ({
    from: from(has(rules.destinations, name)),
    in_file: has(listed, name),
  })
  const { channels, people: reached } = site.reach
  const told = (name: string) => reached.get(name)?.channels ?? []
  return {
    version,
    at: row ? new Date(row.at).toISOString() : null,
    by: row?.author ?? null,
    set: rules as RulesView['set'],
    in_force: {
      facts: { text: content.facts, from: from(rules.facts !== undefined) },
      modes: { names: content.modes, from: from(rules.modes !== undefined) },
      people: Object.entries(content.people).map(([name, roles]) => ({
        ...{ name, roles, from: from(has(rules.people, name)), in_file: has(file.people, name) },
        told: told(name).map(at => ({ channel: at.channel, from: at.from })),
        quiet: reached.get(name)?.quiet ?? null,
      })),
      channels: [...channels.values()].map(({ name, kind }) => ({
        ...{ name, kind },
        people: [...reached.keys()].filter(person => told(person).some(at => at.channel === name)),
      })),
      lists: Object.entries(content.lists).map(([name, entries]) => ({
        ...{ name, entries: entries.length, from: from(has(rules.lists, name)) },
        hides_file: has(rules.lists, name) && base.list(name) !== null,
      })),
      camera_roles: Object.entries(content.camera_roles).map(([camera, roles]) => ({
        ...{ camera, roles, from: from(has(rules.camera_roles, camera)) },
      })),
      cameras: site.cameras.map(camera => cameraView(camera, rules)),
      tools: content.tools,
      destinations: site.destinations.map(({ name, class: effect, url }) => ({
        ...{ name, class: effect, host: url.host, problem: unreachable?.get(name) ?? null },
        ...origin(name),
      })),
      topics: site.topics.map(({ name, class: effect, topic }) => ({
        ...{ name, class: effect, topic },
        ...origin(name),
      })),
      apps: appsJson(site),
    },
  }
}
