/** Does something on its path give each value that a file names, and just one thing? */
import type { CheckContext, Report } from '../context.ts'
import { nearest } from '../nearest.ts'
import { isTooLarge, walk } from '../tree.ts'
import type { Fix, NodePath, Workflow } from '../types.ts'
import { type Reference, referencesOf } from './references.ts'
import { exclusive, resolve } from './resolve.ts'
import { type Giver, type Scope, scopesOf } from './scope.ts'

/** More problems of one file than anybody reads at once. */
const mostReported = 100

/**
 * Reports `name_taken`, `unknown_value`, `unknown_step` and `ambiguous_value`. In `always` a value that is missing
 * prints empty, so that is a warning there. Says nothing about a file that is too large to be one.
 */
export function checkValues(workflow: Workflow, ctx: CheckContext): void {
  if (isTooLarge(workflow)) return
  const { steps, order } = namedSteps(workflow, ctx)
  const scopes = scopesOf(workflow, ctx.site)
  const done = new Set<string>()
  let left = mostReported
  for (const reference of referencesOf(workflow)) {
    const key = `${reference.path} ${reference.name}`
    const scope = scopes.get(reference.at)
    if (done.has(key) || !scope) continue
    done.add(key)
    const found =
      reference.form === 'step' ? stepFault(reference, steps, order) : valueFault(reference, scope)
    if (!found) continue
    const { instead, ...problem } = found
    const fix = instead === null ? undefined : rename(ctx, reference, instead)
    ctx.report({ ...problem, path: reference.path, ...(fix ? { fix } : {}) })
    left--
    if (left === 0) return
  }
}

type Fault = Pick<Report, 'severity' | 'code' | 'message'> & {
  /** What was probably meant. */
  instead: string | null
}

function valueFault({ name, path }: Reference, scope: Scope): Fault | null {
  const resolved = resolve(scope, name)
  if (resolved.ok !== false) return null
  if (resolved.code === 'ambiguous_value') return ambiguity(name, resolved.givers)
  const names = namesIn(scope)
  const meant = nearest(name, names)
  const known = names.length > 0 ? `use one of ${names.slice(0, 12).join(', ')}.` : 'take it out.'
  return {
    severity: path.startsWith('always') ? 'warning' : 'error',
    code: resolved.code,
    message: `Nothing before this place gives {${name}}: ${meant ? `did you mean {${meant}}?` : known}`,
    instead: meant,
  }
}

function ambiguity(name: string, givers: readonly Giver[]): Fault {
  const slugs = [...new Set(givers.flatMap(giver => giver.slug ?? []))]
  const unnamed = givers.filter(giver => giver.slug === null).map(giver => giver.from)
  const advice =
    unnamed.length > 0
      ? `give the step at ${unnamed.slice(0, 3).join(' and ')} a name and write {<name>.${name}}`
      : `write ${slugs.map(slug => `{${slug}.${name}}`).join(' or ')}`
  const last = givers.at(-1)?.slug
  return {
    severity: 'error',
    code: 'ambiguous_value',
    message: `{${name}} may come from several places: ${advice}.`,
    instead: last ? `${last}.${name}` : null,
  }
}

/** What can be named here, the latest 200 at most. */
function namesIn(scope: Scope): string[] {
  const latest = scope.givers.slice(-200)
  const names = latest.flatMap(({ name, slug }) => (slug === null ? [name] : [name, `${slug}.${name}`]))
  return [...new Set(names)].filter(name => resolve(scope, name).ok === true)
}

function stepFault(
  { name, at }: Reference,
  steps: ReadonlyMap<string, NodePath>,
  order: ReadonlyMap<NodePath, number>,
): Fault | null {
  const path = steps.get(name)
  const place = order.get(at) ?? -1
  if (path !== undefined && (order.get(path) ?? 0) < place && !exclusive([path, at])) return null
  const meant = path === undefined ? nearest(name, [...steps.keys()]) : null
  const advice = meant ? `did you mean ${meant}?` : 'name an earlier step.'
  return {
    severity: 'error',
    code: 'unknown_step',
    message: `No step before this one bears the name ${name}: ${advice}`,
    instead: meant,
  }
}

/** The paths of the named steps, and the order of all; reports names that two steps bear. */
function namedSteps(workflow: Workflow, ctx: CheckContext) {
  const steps = new Map<string, NodePath>()
  const order = new Map<NodePath, number>()
  walk(workflow, ({ step, path }) => {
    order.set(path, order.size)
    if (step.name === undefined) return
    const first = steps.get(step.name)
    if (first === undefined) steps.set(step.name, path)
    else {
      ctx.report({
        severity: 'error',
        code: 'name_taken',
        path: `${path}.name`,
        message: `The step at ${first} already bears the name ${step.name}: choose another.`,
      })
    }
  })
  return { steps, order }
}

/** Replaces every mention of a reference in its text. */
function rename(ctx: CheckContext, { path, name, form }: Reference, instead: string): Fix | undefined {
  if (!ctx.source) return undefined
  const { from, to } = ctx.source.locate(path)
  const text = ctx.source.text.slice(from, to)
  const [old, insert] = form === 'placeholder' ? [`{${name}}`, `{${instead}}`] : [name, instead]
  const edits = []
  for (let at = text.indexOf(old); at >= 0; at = text.indexOf(old, at + old.length)) {
    edits.push({ from: from + at, to: from + at + old.length, insert })
  }
  return edits.length > 0 ? { title: `Write ${insert}`, edits } : undefined
}
