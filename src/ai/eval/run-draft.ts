import { parse, type Workflow, walk } from '../../contract/index.ts'
import { messageOf } from '../../core/index.ts'
import type { DraftCase, Facet } from './case-schema.ts'
import { facetsOf } from './facets.ts'
import type { CaseResult, LeftOut } from './result.ts'

/** What always counts where a case does not say what does. */
const USUAL: readonly Facet[] = ['trigger', 'cameras', 'actions']
/** Of these a draft may have more than is expected: what it adds there does no harm. */
const AT_LEAST: ReadonlySet<Facet> = new Set(['guards', 'steps', 'actions', 'trigger_params', 'limits'])

/** A workflow drafted from a sentence. */
export interface Drafted {
  yaml: string
  /** Of the language model. */
  modelCalls: number
  tokensIn: number
  tokensOut: number
}

export interface DraftPorts {
  /** Drafts; null: nobody does here. */
  draft: ((sentence: string, site: DraftCase['site']) => Promise<Drafted>) | null
  now(): number
}

/** Has a workflow drafted, and holds it against the expected one: first whether it is valid at all, then what it says. */
export async function runDraftCase(one: DraftCase, ports: DraftPorts): Promise<CaseResult | LeftOut> {
  if (!ports.draft) return { id: one.id, suite: 'draft', why: 'it needs a language model' }
  const started = ports.now()
  let made: Drafted | null = null
  let wrong: string[]
  try {
    made = await ports.draft(one.sentence, one.site)
    wrong = draftProblems(one, made.yaml)
  } catch (error) {
    wrong = [`nothing was drafted: ${messageOf(error)}`]
  }
  const { id, suite, split, place, trap = null } = one
  const unsure = made ? null : 'not_drafted'
  return {
    ...{ id, suite, split, place, trap, right: wrong.length === 0, wrong, unsure },
    expected: 'a workflow that does it',
    got: made === null ? 'nothing' : wrong.length ? 'another one' : 'a workflow that does it',
    tools: { needed: [], missing: [], called: [] },
    ...{ limits: [], confidence: null, source: null, selfReported: null },
    ...{ modelCalls: made?.modelCalls ?? 0, tokensIn: made?.tokensIn ?? 0, tokensOut: made?.tokensOut ?? 0 },
    seconds: (ports.now() - started) / 1000,
  }
}

/** What is wrong with a draft, each in one line; empty: nothing. */
export function draftProblems(one: DraftCase, yaml: string): string[] {
  const { workflow, problems } = parse(yaml)
  if (!workflow) {
    const [first] = problems.filter(({ severity }) => severity === 'error')
    return [`it is not valid: ${first?.code ?? 'unknown'}`]
  }
  return [...differences(one, workflow), ...forbidden(one, workflow)]
}

/** Throws where the case's own workflow is not valid: the test of the cases holds that all are. */
export function expectedOf({ id, workflow }: DraftCase): Workflow {
  const parsed = parse(workflow)
  if (parsed.workflow) return parsed.workflow
  const why = parsed.problems.map(({ line, code, message }) => `${line} ${code}: ${message}`).join('; ')
  throw new Error(`the expected workflow of ${id} is not valid: ${why}`)
}

function differences(one: DraftCase, drafted: Workflow): string[] {
  const [wanted, is] = [facetsOf(expectedOf(one)), facetsOf(drafted)]
  return (one.match ?? USUAL).flatMap(facet => {
    const lacking = [...wanted[facet]].filter(each => !is[facet].has(each))
    const more = AT_LEAST.has(facet) ? [] : [...is[facet]].filter(each => !wanted[facet].has(each))
    return [
      ...(lacking.length ? [`${facet}: ${lacking.join(', ')} is missing`] : []),
      ...(more.length ? [`${facet}: ${more.join(', ')} is too much`] : []),
    ]
  })
}

function forbidden({ never = [] }: DraftCase, drafted: Workflow): string[] {
  const kinds = new Set<string>()
  walk(drafted, ({ step }) => kinds.add(step.kind))
  return never.filter(kind => kinds.has(kind)).map(kind => `${kind} must not be in it`)
}
