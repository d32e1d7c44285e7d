import { type NodePath, nodePath, type Step, triggerKind, type Workflow } from '../contract/index.ts'
import type { SitePort } from '../kinds/index.ts'
import { type Render, renderer } from './render.ts'

/** A step at its place, linked to what may run after it. */
export interface Node {
  path: NodePath
  step: Step
  section: 'then' | 'always'
  /** The parameters with the run's values filled in. */
  render: Render
  /** Outcome → the first step of its path; null where the path is empty. */
  paths: ReadonlyMap<string, Node | null>
  /** What runs after this step and after whichever of its paths ran; null: the round or the section is over. */
  after: Node | null
}

/** A workflow version made ready to run: every place linked once, so that a run only follows links. */
export interface Program {
  workflow: Workflow
  then: Node | null
  always: Node | null
  byPath: ReadonlyMap<NodePath, Node>
  /** Names of the trigger's values that are identities, with and without `trigger.` before them. */
  identities: ReadonlySet<string>
  /** The places of its moves, at the site as it was when they were last asked for. */
  moves: { site: SitePort; paths: readonly NodePath[] } | null
}

/** Links the steps of a checked workflow. */
export function compile(workflow: Workflow): Program {
  const byPath = new Map<NodePath, Node>()

  const link = (
    steps: readonly Step[],
    parent: NodePath,
    outcome: string,
    section: Node['section'],
    after: Node | null,
  ): Node | null => {
    let next = after
    for (const [index, step] of [...steps.entries()].reverse()) {
      const path = nodePath(parent, outcome, index)
      const paths = new Map<string, Node | null>()
      for (const [name, inner] of Object.entries(step.paths)) {
        // At the end of a loop's steps the plan decides whether there is another round.
        const behind = step.kind === 'for_each' ? null : next
        paths.set(name, inner.length ? link(inner, path, name, section, behind) : null)
      }
      const node: Node = { path, step, section, render: renderer(step), paths, after: next }
      byPath.set(path, node)
      next = node
    }
    return next
  }

  return {
    workflow,
    then: link(workflow.then, '', 'then', 'then', null),
    always: link(workflow.always, '', 'always', 'always', null),
    byPath,
    identities: identitiesOf(workflow),
    moves: null,
  }
}

function identitiesOf({ when }: Workflow): Set<string> {
  const given = Object.entries(triggerKind(when.kind)?.gives(when.params) ?? {})
  return new Set(given.flatMap(([name, { identity }]) => (identity ? [name, `trigger.${name}`] : [])))
}
