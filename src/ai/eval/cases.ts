import { createHash } from 'node:crypto'
import { Value } from '@sinclair/typebox/value'
import { parse } from 'yaml'
import { toolKind } from '../../contract/index.ts'
import { GatehouseError, messageOf } from '../../core/index.ts'
import {
  type EvalCase,
  FILES,
  type InvestigateCase,
  type LookCase,
  SUITES,
  type Suite,
} from './case-schema.ts'
import { entryFor } from './recorded.ts'

const LONGEST_FILE = 512 * 1024
const UNSURE = 'unsure'

/**
 * The cases of one file. Throws `GatehouseError` `cases_invalid` with what to mend: what has another form, and what
 * nobody could answer (a decision that is no option, a needed tool without a result).
 */
export function readCases(yaml: string, file: string): EvalCase[] {
  const content = contentOf(yaml, file)
  const suite = SUITES.find(each => content !== null && Object(content).suite === each)
  if (!suite) throw invalid(file, `suite: is none of ${SUITES.join(', ')}`)
  const found = casesOf(suite, content, file)
  for (const one of found) {
    const problem = one.suite === 'draft' ? null : (decisionProblem(one) ?? problemOf(one))
    if (problem) throw invalid(file, `${one.id}: ${problem}`)
  }
  return found
}

/** Throws `cases_invalid` where an id is there twice, or two cases ask the same. */
export function checkDistinct(cases: readonly EvalCase[]): void {
  const ids = new Map<string, string>()
  const bodies = new Map<string, string>()
  for (const one of cases) {
    const { id, why, split, trap, place, site, ...body } = one
    const print = JSON.stringify(body)
    const same = bodies.get(print)
    if (ids.has(id)) throw invalid(place, `two cases are named ${id}: rename one`)
    if (same) throw invalid(place, `${id} asks what ${same} asks: leave one out`)
    ids.set(id, id)
    bodies.set(print, id)
  }
}

/** By which it is known whether two runs were over the same cases: 12 hex digits. */
export function fingerprintOf(cases: readonly EvalCase[]): string {
  const all = [...cases].sort((a, b) => (a.id < b.id ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 12)
}

function contentOf(yaml: string, file: string): unknown {
  if (yaml.length > LONGEST_FILE) throw invalid(file, 'it is too long: divide it')
  try {
    return parse(yaml, { maxAliasCount: 0 })
  } catch (error) {
    throw invalid(file, messageOf(error).split('\n')[0] ?? '')
  }
}

function casesOf(suite: Suite, content: unknown, file: string): EvalCase[] {
  const schema = FILES[suite]
  if (!Value.Check(schema, content)) {
    const problem = Value.Errors(schema, content).First()
    throw invalid(file, problem ? `${problem.path || '/'}: ${problem.message}` : 'it has another form')
  }
  const { place, site = {}, cases } = content
  return cases.map(one => ({ ...one, suite, place, site }) as EvalCase)
}

function decisionProblem({
  decision,
  expect,
  fields = {},
  rules = [],
}: LookCase | InvestigateCase): string | null {
  const right = [expect.decision].flat()
  const stray = right.find(each => each !== UNSURE && !decision.includes(each))
  if (stray) return `the expected decision ${stray} is none of its decisions`
  if (decision.includes(UNSURE)) return 'unsure is always a decision: leave it out'
  const field = Object.keys(expect.fields ?? {}).find(each => !Object.hasOwn(fields, each))
  if (field) return `the expected field ${field} is none of its fields`
  const rule = rules.find(({ then }) => !decision.includes(then))
  return rule ? `a rule leads to ${rule.then}, which is none of its decisions` : null
}

function problemOf(one: LookCase | InvestigateCase): string | null {
  if (one.suite === 'look') {
    const inputs = [one.picture, one.scenes, one.text, one.event].filter(each => each !== undefined)
    return inputs.length > 1 ? 'it has more than one of picture, scenes, text and event' : null
  }
  const { tools, results, expect, fields = {} } = one
  const unknown = [...tools, ...Object.keys(results)].find(each => !toolKind(each))
  if (unknown) return `there is no tool ${unknown}`
  const stray = Object.keys(results).find(each => !tools.includes(each))
  if (stray) return `${stray} has results and is none of its tools`
  const missing = (expect.tools ?? []).find(each => !entryFor(results[each] ?? [], null))
  if (missing) return `the needed tool ${missing} has no result`
  const measured = Object.entries(fields).find(([, field]) => typeof field === 'object' && 'measure' in field)
  return measured ? `the field ${measured[0]} is measured: an investigation asks all of its fields` : null
}

function invalid(file: string, why: string): GatehouseError {
  return new GatehouseError('cases_invalid', `${file} cannot be used: ${why}`)
}
