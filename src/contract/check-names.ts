/** Cameras, lists, people, destinations, apps and tools that a file names: does the site have them? */
import { checkApp, checkSource } from './check-app.ts'
import type { CheckContext } from './context.ts'
import type { NodeNeeds } from './kind.ts'
import { conditionKind, stepKind, tools, triggerKind } from './kinds/index.ts'
import { nearest } from './nearest.ts'
import { conditionsOf, paramPath, walk, walkCondition } from './tree.ts'
import type { Condition, SiteView, Workflow } from './types.ts'
import { textsIn } from './values/index.ts'

/** One node's needs, with what is needed to find their places. */
export interface NeedsAt {
  needs: NodeNeeds
  params: unknown
  /** The path of the parameters. */
  path: string
}

/** What each node of a file needs, in its order. */
export function needsOf(workflow: Workflow): NeedsAt[] {
  const found: NeedsAt[] = []
  const add = (needs: NodeNeeds | undefined, params: unknown, path: string) => {
    if (needs) found.push({ needs, params, path })
  }
  const ofCondition = (condition: Condition, path: string) =>
    walkCondition(condition, path, ({ kind, params }, place) => {
      add(conditionKind(kind)?.needs?.(params), params, `${place}.${kind}`)
    })
  const { kind, params } = workflow.when
  add(triggerKind(kind)?.needs?.(params), params, paramPath('when', kind))
  workflow.if.forEach((condition, index) => {
    ofCondition(condition, `if[${index}]`)
  })
  walk(workflow, ({ step, path }) => {
    add(stepKind(step.kind)?.needs?.(step.params), step.params, paramPath(path, step.kind))
    for (const { condition, path: place } of conditionsOf(step, path)) ofCondition(condition, place)
  })
  return found
}

interface Asked {
  what: 'camera' | 'list' | 'role' | 'person' | 'destination' | 'app' | 'tool'
  name: string
  /** The text in the parameters that names it. */
  text: string
}

const askedBy = ({ needs }: NeedsAt): Asked[] => [
  ...(needs.cameras ?? []).map(name => ({ what: 'camera', name, text: name }) as const),
  ...(needs.lists ?? []).map(name => ({ what: 'list', name, text: name }) as const),
  ...(needs.roles ?? []).map(name => ({ what: 'role', name, text: `role:${name}` }) as const),
  ...(needs.people ?? []).map(name => ({ what: 'person', name, text: `person:${name}` }) as const),
  ...(needs.destinations ?? []).map(name => ({ what: 'destination', name, text: name }) as const),
  ...(needs.apps ?? []).map(({ id }) => ({ what: 'app', name: id, text: id }) as const),
  ...(needs.tools ?? []).map(name => ({ what: 'tool', name, text: name }) as const),
]

export function checkNames(workflow: Workflow, context: CheckContext): void {
  const known = context.site ? ofSite(context.site) : ofFile(workflow)
  for (const node of needsOf(workflow)) {
    for (const asked of askedBy(node)) checkName(asked, node, known, context)
    if (node.needs.apps) checkApp(node.params as Parameters<typeof checkApp>[0], node.path, context)
    for (const source of node.needs.sources ?? []) checkSource(source, node.path, context)
    for (const name of node.needs.destinations ?? []) checkSort(name, node, context)
    for (const zone of node.needs.zones ?? []) checkZone(zone, node, context)
  }
  checkClasses(workflow, context)
}

/** The names of each sort that are known; null where any name may do. */
type Known = Readonly<Record<Asked['what'], ReadonlySet<string> | null>>

const ofSite = (site: SiteView): Known => ({
  camera: site.roles,
  list: site.lists,
  role: site.personRoles,
  person: site.people,
  destination: new Set(site.destinations.keys()),
  app: site.appsUnknown ? null : new Set(site.apps.keys()),
  tool: site.tools,
})

/** Without a site a file knows what its own `needs` declare; cameras count as known until it declares some. */
function ofFile({ needs }: Workflow): Known {
  const declared = (names: readonly string[] | undefined) => new Set(names ?? [])
  return {
    camera: needs?.cameras ? declared(needs.cameras) : null,
    list: declared(needs?.lists),
    role: declared(needs?.roles),
    person: new Set(),
    destination: declared(Object.keys(needs?.destinations ?? {})),
    app: declared(needs?.apps),
    tool: new Set(Object.keys(tools)),
  }
}

const WORDS: Readonly<Record<Asked['what'], string>> = {
  camera: 'camera bears the role',
  list: 'list is called',
  role: 'person bears the role',
  person: 'person is called',
  destination: 'destination is called',
  app: 'app is called',
  tool: 'tool is called',
}

function checkName({ what, name, text }: Asked, node: NeedsAt, known: Known, context: CheckContext): void {
  const names = known[what]
  const { site, source } = context
  const path = textsIn(node.params, node.path).find(one => one.text === text)?.path ?? node.path
  const why = what === 'destination' ? site?.unreachable?.get(name) : undefined
  if (why !== undefined)
    context.report({
      severity: 'warning',
      code: 'destination_unreachable',
      path,
      message: `Nothing will be sent to ${name}: ${why}.`,
    })
  if (!names || names.has(name)) return
  const meant = nearest(name, [...names])
  const hint = meant ? ` Did you mean ${meant}?` : ''
  const message = site
    ? `No ${WORDS[what]} ${name} at this site: add it to the site, or change the name.${hint}`
    : unknownHere(what, name, hint)
  const range = meant && source ? source.locate(path) : null
  const at = range && source ? source.text.slice(range.from, range.to).lastIndexOf(name) : -1
  context.report({
    severity: site ? 'error' : 'warning',
    code: `unknown_${what}`,
    path,
    message,
    ...(meant && range && at >= 0
      ? {
          fix: {
            title: `Change it to ${meant}`,
            edits: [{ from: range.from + at, to: range.from + at + name.length, insert: meant }],
          },
        }
      : {}),
  })
}

const unknownHere = (what: Asked['what'], name: string, hint: string): string => {
  if (what === 'tool') return `There is no tool ${name}: use one of ${Object.keys(tools).join(', ')}.${hint}`
  const where = what === 'person' ? 'name a role instead' : 'declare it under needs'
  return `Whether a site has the ${what} ${name} is not known here: ${where}, or check with a site.${hint}`
}

/** A request goes to an address, what is published to a topic. */
function checkSort(name: string, { needs, path }: NeedsAt, { site, report }: CheckContext): void {
  if (!site?.topics || !site.destinations.has(name)) return
  const isTopic = site.topics.has(name)
  if (isTopic === (needs.sort === 'topic')) return
  const message = isTopic
    ? `${name} is a topic on the MQTT broker: send to it with mqtt.`
    : `${name} is an address: send to it with webhook, or list a topic for mqtt.`
  report({ severity: 'error', code: 'destination_sort', path: `${path}.to`, message })
}

/** A zone that is drawn on some of the cameras is one; a role that nobody bears is told of elsewhere. */
function checkZone(
  { name, cameras }: { name: string; cameras: string[] },
  node: NeedsAt,
  { site, report }: CheckContext,
): void {
  const drawn = cameras.flatMap(role => site?.zones?.get(role) ?? [])
  if (!drawn.length || drawn.some(zones => zones.has(name))) return
  const meant = nearest(name, [...new Set(drawn.flatMap(zones => [...zones]))])
  const hint = meant ? ` Did you mean ${meant}?` : ''
  report({
    severity: 'error',
    code: 'unknown_zone',
    path: `${node.path}.zone`,
    message: `No camera that bears ${cameras.join(' or ')} has a zone ${name} at this site: draw it under zones of the camera in the site file, or change the name.${hint}`,
  })
}

/** What the file says of a destination must be what the site says. */
function checkClasses({ needs }: Workflow, { site, report }: CheckContext): void {
  for (const [name, effect] of Object.entries(needs?.destinations ?? {})) {
    const listed = site?.destinations.get(name)
    if (listed === undefined || listed === effect) continue
    report({
      severity: 'error',
      code: 'destination_class',
      path: `needs.destinations.${name}`,
      message: `This site lists ${name} as ${listed}: write ${listed} here, or set the class of destinations.${name} in site.yaml to ${effect}.`,
    })
  }
}
