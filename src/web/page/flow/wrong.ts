import { type Problem, type Workflow, walk } from '../../../contract/index.ts'

/** Cards with problems → the gravest there. A problem belongs to the innermost card that it stands in. */
export function wrongIn(workflow: Workflow, problems: readonly Problem[]): Map<string, Problem['severity']> {
  const nodes = new Set(['when', ...workflow.if.map((_, i) => `if[${i}]`)])
  walk(workflow, ({ path }) => nodes.add(path))
  const wrong = new Map<string, Problem['severity']>()
  for (const { path, severity } of problems) {
    let cut = path.length
    while (cut > 0 && !(nodes.has(path.slice(0, cut)) && /^($|[.[])/.test(path.slice(cut)))) cut--
    const node = path.slice(0, cut)
    if (node && wrong.get(node) !== 'error') wrong.set(node, severity)
  }
  return wrong
}
