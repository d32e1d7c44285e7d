/** What a workflow takes with it when it leaves its site. */
import { needsOf } from './check-names.ts'
import { print } from './print.ts'
import { walk } from './tree.ts'
import type { Effect, Needs, SiteView, Step, Workflow } from './types.ts'

/** Stands for the people of the site that a file came from. */
const SOMEBODY = 'role:recipient'

/** Everything that a site must have for the file to run, sorted; what it needs nothing of is left out. */
export function fillNeeds(workflow: Workflow, site?: SiteView): Needs {
  const found = needsOf(workflow).map(({ needs }) => needs)
  const sorted = (names: readonly (string | undefined)[]) =>
    [...new Set(names.filter(name => name !== undefined))].sort()
  const destinations = sorted(found.flatMap(({ destinations }) => destinations ?? []))
  const filled: Needs = {
    cameras: sorted(found.flatMap(({ cameras }) => cameras ?? [])),
    lists: sorted(found.flatMap(({ lists }) => lists ?? [])),
    roles: sorted(found.flatMap(({ roles }) => roles ?? [])),
    destinations: Object.fromEntries(destinations.map(name => [name, effectOf(name, workflow, site)])),
    apps: sorted(found.flatMap(({ apps }) => (apps ?? []).map(({ id }) => id))),
    skills: sorted(found.flatMap(({ skills }) => skills ?? [])),
  }
  return Object.fromEntries(Object.entries(filled).filter(([, names]) => Object.keys(names).length > 0))
}

/** A destination's class as the site lists it, else as the file says, else a move. */
function effectOf(name: string, { needs }: Workflow, site?: SiteView): Effect {
  const said = site?.destinations.get(name) ?? needs?.destinations?.[name] ?? 'move'
  return said === 'read' ? 'tell' : said
}

/** The portable form: state Test, nobody by name, `needs` filled. */
export function exportForm(workflow: Workflow, site?: SiteView): Workflow {
  const portable: Workflow = structuredClone(workflow)
  walk(portable, ({ step }) => {
    if (hasWho(step)) step.params.who = withoutPeople(step.params.who)
  })
  portable.state = 'test'
  const needs = fillNeeds(portable, site)
  if (Object.keys(needs).length > 0) portable.needs = needs
  else delete portable.needs
  return portable
}

/** The portable form as canonical YAML. */
export const exportYaml = (workflow: Workflow, site?: SiteView): string => print(exportForm(workflow, site))

const hasWho = (step: Step): step is Step & { params: { who: string | string[] } } =>
  typeof step.params === 'object' && step.params !== null && 'who' in step.params

function withoutPeople(who: string | string[]): string | string[] {
  const isPerson = (one: string) => one.startsWith('person:')
  if (typeof who === 'string') return isPerson(who) ? SOMEBODY : who
  return [...new Set(who.map(one => (isPerson(one) ? SOMEBODY : one)))]
}
