import { type Problem, type Workflow, walk } from '../../../contract/index.ts'

/** Cards → what is wrong there. A problem belongs to the innermost card that it stands in. */
export function wrongIn(workflow: Workflow, problems: readonly Problem[]): Map<string, Problem[]> {
  const nodes = new Set(['when', ...workflow.if.map((_, i) => `if[${i}]`)])
  walk(workflow, ({ path }) => nodes.add(path))
  const wrong = new Map<string, Problem[]>()
  for (const problem of problems) {
    const { path } = problem
    let cut = path.length
    while (cut > 0 && !(nodes.has(path.slice(0, cut)) && /^($|[.[])/.test(path.slice(cut)))) cut--
    if (cut > 0) wrong.set(path.slice(0, cut), [...(wrong.get(path.slice(0, cut)) ?? []), problem])
  }
  return wrong
}
