import { fill, printYaml } from '../../contract/index.ts'
import { GatehouseError, type JsonValue } from '../../core/index.ts'
import type { CaseRow, JsonObject } from '../../store/index.ts'
import { isObject } from '../json.ts'
import type { TakenFile } from '../types-cases.ts'
import type { JudgedThen } from './case-of-run.ts'

/** Of a text that is judged, as a file of cases may hold it. */
const LONGEST_TEXT = 8_000

type Printable = Parameters<typeof printYaml>[0]

/**
 * Cases as a folder that `gatehouse eval --cases` reads: one file of Looks, one of investigations, their pictures. Those
 * that it could not read are left out, and why stands in `left-out.txt`. One picture at a time is in memory.
 * `facts`: what every AI step is told of the site; null: it is for others.
 */
export async function* filesOf(
  slug: string,
  cases: readonly CaseRow[],
  facts: string | null,
  bytesOf: (id: number) => Promise<Uint8Array | null>,
): AsyncGenerator<TakenFile, undefined> {
  // Loaded for those who take cases along.
  const { readCases } = await import('../../ai/eval/index.ts')
  const place =
    slug
      .replace(/^[^a-z]+/, '')
      .replaceAll(/[^a-z0-9-]/g, '-')
      .slice(0, 40) || 'workflow'
  const found: { look: Printable[]; investigate: Printable[] } = { look: [], investigate: [] }
  const leftOut: string[] = []
  if (facts === null) leftOut.push('the facts of the site: whoever may set them takes them along')
  const whole = (suite: string, all: Printable[]) =>
    printYaml({
      suite,
      place,
      site: { ...(facts && { facts: facts.slice(0, 4_000) }) },
      cases: all,
    })
  for (const row of cases) {
    const id = `${place}-case-${row.id}`
    const { suite, one, picture } = caseOf(row, id)
    try {
      if (isUnlike(row))
        throw new GatehouseError('unlike', 'it looks at several frames, or at part of a picture')
      readCases(whole(suite, [one]), id)
    } catch (error) {
      leftOut.push(`${id}: ${(error as Error).message}`)
      continue
    }
    const bytes = picture === null ? null : await bytesOf(row.id)
    if (picture !== null && !bytes) {
      leftOut.push(`${id}: its picture cannot be read`)
      continue
    }
    found[suite].push(one)
    if (picture !== null && bytes) yield { name: `pictures/${picture}`, bytes }
  }
  const text = (name: string, content: string) => ({ name, bytes: new TextEncoder().encode(content) })
  for (const suite of ['look', 'investigate'] as const)
    if (found[suite].length) yield text(`${suite}/${place}.yaml`, whole(suite, found[suite]))
  if (leftOut.length) yield text('left-out.txt', `${leftOut.join('\n')}\n`)
}

function caseOf(
  { judged, event, expected, note, runId }: CaseRow,
  id: string,
): { suite: 'look' | 'investigate'; one: Printable; picture: string | null } {
  const { params, values, tools } = judged as unknown as JudgedThen
  const { mode, prompt, goal, instructions, input, decision, fields, rules, sure } = params
  const why = `run ${runId}, ${note?.replaceAll(/\s+/g, ' ').slice(0, 160) ?? `which a person called ${expected}`}`
  const common = {
    ...{ id, why, split: 'held_out' },
    ...(fields !== undefined && { fields }),
    ...(rules !== undefined && { rules }),
    ...(sure !== undefined && { sure }),
    decision: decision ?? [],
    expect: { decision: expected },
  }
  const payload = isObject(event.payload) ? event.payload : {}
  if (mode === 'investigate') {
    const results = resultsOf(tools)
    const named = Array.isArray(params.tools) ? params.tools.map(String) : []
    const one = { ...common, goal: goal ?? '', ...(instructions !== undefined && { instructions }) }
    const given = { values, event: { ...payload, at: new Date(Number(event.at)).toISOString() } }
    return {
      suite: 'investigate',
      picture: null,
      one: printable({ ...one, ...given, tools: named, results }),
    }
  }
  const text = isObject(input) && typeof input.text === 'string' ? input.text : null
  const picture = text === null && input !== 'event' ? `${id}.jpg` : null
  const looked =
    text !== null
      ? { text: fill(text, values).slice(0, LONGEST_TEXT) }
      : picture === null
        ? { event: payload }
        : { picture }
  return { suite: 'look', picture, one: printable({ ...common, prompt: prompt ?? '', values, ...looked }) }
}

/** What an evaluation cannot show as it was. */
function isUnlike({ judged }: CaseRow): boolean {
  const { input, fields } = (judged as unknown as JudgedThen).params
  const frames = isObject(input) && 'frames' in input
  return (
    frames || Object.values(isObject(fields) ? fields : {}).some(each => isObject(each) && 'region' in each)
  )
}

/** What each tool said, by its arguments. */
function resultsOf(tools: JudgedThen['tools']): JsonObject {
  const results: { [tool: string]: JsonValue[] } = {}
  for (const { name, args, result, status } of tools) {
    if (status !== 'ok' && status !== 'failed') continue
    const when = isObject(args) ? args : {}
    const message = isObject(result) && typeof result.message === 'string' ? result.message : 'it failed'
    const entry = status === 'ok' ? { when, result } : { when, error: message.slice(0, 200) }
    results[name] = [...(results[name] ?? []), entry].slice(0, 12)
  }
  return results
}

const printable = (one: object) => one as Printable
