/** Does something on its path give each value that a file names, and just one thing? */
import type { CheckContext } from '../context.ts'
import { nearest } from '../nearest.ts'
import { walk } from '../tree.ts'
import type { Fix, NodePath, Workflow } from '../types.ts'
import { type Reference, referencesOf } from './references.ts'
import { exclusive, resolve, type Scope, scopesOf } from './scope.ts'

/**
 * Reports `name_taken`, `unknown_value`, `unknown_step` and `ambiguous_value`. In `always` a value that is missing
 * prints empty, so that is a warning there.
 */
export function checkValues(workflow: Workflow, ctx: CheckContext): void {
  const { steps, order } = namedSteps(workflow, ctx)
  const scopes = scopesOf(workflow, ctx.site)
  const done = new Set<string>()
  for (const reference of referencesOf(workflow)) {
    const key = `${reference.path} ${reference.name}`
    const scope = scopes.get(reference.at)
    if (done.has(key) || !scope) continue
    done.add(key)
    if (reference.form === 'step') checkStep(reference, steps, order, ctx)
    else checkValue(reference, scope, ctx)
  }
}

function checkValue(reference: Reference, scope: Scope, ctx: CheckContext): void {
  const resolved = resolve(scope, reference.name)
  if (resolved.ok !== false) return
  const { path, name } = reference
  if (resolved.code === 'ambiguous_value') {
    const owners = [...new Set(resolved.givers.map(giver => giver.slug ?? ''))]
    const ways = owners.filter(owner => owner !== '').map(owner => `{${owner}.${name}}`)
    const unnamed = resolved.givers.filter(giver => giver.slug === null).map(giver => giver.from)
    const advice =
      unnamed.length > 0
        ? `give ${unnamed.join(' and ')} a name (name: …) and write {<name>.${name}}`
        : `write ${ways.join(' or ')}`
    const last = resolved.givers.at(-1)?.slug
    report(
      ctx,
      reference,
      'ambiguous_value',
      `{${name}} may come from several places: ${advice}.`,
      last ? `${last}.${name}` : null,
    )
    return
  }
  const names = namesIn(scope)
  const meant = nearest(name, names)
  const advice = meant
    ? `did you mean {${meant}}?`
    : names.length > 0
      ? `use one of ${names.slice(0, 12).join(', ')}.`
      : 'take it out.'
  const severity = path.startsWith('always') ? 'warning' : 'error'
  report(
    ctx,
    reference,
    resolved.code,
    `Nothing before this place gives {${name}}: ${advice}`,
    meant,
    severity,
  )
}

function namesIn(scope: Scope): string[] {
  const names = scope.givers.flatMap(({ name, slug }) => (slug === null ? [name] : [name, `${slug}.${name}`]))
  return [...new Set(names)].filter(name => resolve(scope, name).ok === true)
}

function checkStep(
  reference: Reference,
  steps: ReadonlyMap<string, NodePath>,
  order: ReadonlyMap<NodePath, number>,
  ctx: CheckContext,
): void {
  const path = steps.get(reference.name)
  const place = order.get(reference.at) ?? -1
  if (path !== undefined && (order.get(path) ?? 0) < place && !exclusive(path, reference.at)) return
  const meant = path === undefined ? nearest(reference.name, [...steps.keys()]) : null
  const advice = meant ? `did you mean ${meant}?` : 'name an earlier step.'
  report(
    ctx,
    reference,
    'unknown_step',
    `No step before this one bears the name ${reference.name}: ${advice}`,
    meant,
  )
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

function report(
  ctx: CheckContext,
  reference: Reference,
  code: string,
  message: string,
  instead: string | null,
  severity: 'error' | 'warning' = 'error',
): void {
  const fix = instead === null ? undefined : rename(ctx, reference, instead)
  ctx.report({ severity, code, path: reference.path, message, ...(fix ? { fix } : {}) })
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
