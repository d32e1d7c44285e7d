/** The way in: text to a checked workflow, or to everything that is wrong with it. */
import { checkWhole } from './check-whole.ts'
import type { CheckContext } from './context.ts'
import { locator } from './locate.ts'
import { prove } from './proof/index.ts'
import { ReadContext } from './read-context.ts'
import { readWorkflow } from './read-workflow.ts'
import { ProblemList, positions } from './reporter.ts'
import { readSource } from './source.ts'
import type { Locate, Parsed, SiteView, Workflow } from './types.ts'
import { checkValues } from './values/index.ts'

/**
 * Reads and checks a `workflow.v1` file: syntax, shapes, rules, values and the safety proof, and reports all problems
 * at once. Never throws.
 *
 * `file` is carried into the problems; `site` is what is known of the site the file is for.
 */
export function parse(text: string, options: { file?: string; site?: SiteView } = {}): Parsed {
  const problems = new ProblemList(text, options.file)
  const source = readSource(text, problems)
  if (!source) return { problems: problems.problems(), locate: nowhere }
  const reading = new ReadContext(text, problems)
  const workflow = readWorkflow(source, reading)
  const locate = locator(source, reading.inside, positions(text))
  problems.rename(path => renamed(path, reading.renamed))
  if (workflow) {
    const context: CheckContext = {
      source: { text, locate },
      report: problem => {
        const { from, to } = locate(problem.path)
        problems.report({ ...problem, from, to })
      },
      ...(options.site && { site: options.site }),
    }
    checkWhole(workflow, context)
    if (!reading.valuesUnknown) checkValues(workflow, context)
    if (!reading.guardsUnknown) prove(workflow, context)
  }
  return {
    problems: problems.problems(),
    locate,
    ...(workflow && !problems.hasErrors && { workflow }),
  }
}

/**
 * The typed form of a file that was checked when it was stored: syntax and shapes only, so that a run under way
 * goes on when the site has changed around it. Undefined where even these do not hold.
 */
export function reread(text: string): Workflow | undefined {
  const problems = new ProblemList(text)
  const source = readSource(text, problems)
  const workflow = source ? readWorkflow(source, new ReadContext(text, problems)) : undefined
  return workflow && !problems.hasErrors ? workflow : undefined
}

const nowhere: Locate = () => ({ line: 1, column: 1, from: 0, to: 0 })

/** YAML's own path of a node, in the notation that everybody else uses. */
function renamed(path: string, pairs: ReadContext['renamed']): string {
  let result = path
  for (const [yaml, node] of pairs) {
    if (result === yaml || (result.startsWith(yaml) && /[.[]/.test(result.charAt(yaml.length)))) {
      result = node + result.slice(yaml.length)
    }
  }
  return result
}
