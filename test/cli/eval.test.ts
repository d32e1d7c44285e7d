/** The command as its user runs it, with a model behind real HTTP. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { type EvalCase, playOf, readCases } from '../../src/ai/eval/index.ts'
import { ModelGates } from '../../src/box/model-gates.ts'
import { systemClock } from '../../src/core/index.ts'
import { Evaluations } from '../../src/models/index.ts'
import { folder, gatehouse, root } from './gatehouse.ts'

const data = folder()
afterAll(() => rmSync(data, { recursive: true, force: true }))

type Investigation = Extract<EvalCase, { suite: 'investigate' }>
const INVESTIGATIONS = ['farm', 'flats', 'gate', 'school', 'shop', 'warehouse', 'yard']
  .flatMap(name => readCases(readFileSync(join(root, `models/eval/investigate/${name}.yaml`), 'utf8'), name))
  .filter((one): one is Investigation => one.suite === 'investigate')

interface Body {
  messages: { role: string; content: string }[]
  response_format: { json_schema: { schema: { properties?: { decision?: { enum: string[] } } } } }
}

/** A model server that knows the cases by heart, but for so many that it gets wrong. `fault`: at its how manieth answer. */
function server(wrong: number, fault = 0): string {
  let answers = 0
  const fails = new Set(INVESTIGATIONS.slice(0, wrong).map(({ id }) => id))
  const serving = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const body = (await request.json()) as Body
      if (++answers === fault) return new Response('out of memory', { status: 500 })
      return Response.json({
        choices: [{ message: { content: said(body, fails) }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 100, completion_tokens: 10 },
      })
    },
  })
  onTestFinished(() => serving.stop(true))
  return `
destinations: { llm: { url: "http://127.0.0.1:${serving.port}", class: tell } }
language: { destination: llm, api: openai, model: by-heart }
`
}

function said({ messages, response_format: format }: Body, fails: ReadonlySet<string>): string {
  const told = messages.map(({ content }) => content).join('\n')
  const one = INVESTIGATIONS.find(
    ({ goal, event }) => told.includes(goal) && told.includes(JSON.stringify(event.at)),
  )
  if (!one) return '{}'
  const play = playOf(one)
  const options = format.json_schema.schema.properties?.decision?.enum
  if (!options) return JSON.stringify(play[messages.filter(({ role }) => role === 'assistant').length])
  const last = play.at(-1) as { decision: string }
  const other = options.find(each => each !== last.decision)
  return JSON.stringify(fails.has(one.id) ? { ...last, decision: other } : last)
}

function siteFile(text: string): string {
  const file = join(data, 'site.yaml')
  writeFileSync(file, text)
  return file
}

const SMALL = `
suite: look
place: gate
cases:
  - { id: one-word, why: the smallest case there is, split: seen, prompt: Is it raining?, decision: [rain, dry], text: It is raining., expect: { decision: rain } }
  - { id: other-word, why: the other of the smallest cases, split: held_out, prompt: Is it raining?, decision: [rain, dry], text: It is dry., expect: { decision: dry } }
`
function smallCases(): string {
  const cases = join(data, 'cases')
  mkdirSync(cases, { recursive: true })
  writeFileSync(join(cases, 'small.yaml'), SMALL)
  return cases
}
const unasked = ['--data', join(data, 'none')]

describe('gatehouse eval', () => {
  const run = (site: string, ...args: string[]) =>
    gatehouse('eval', '--suite', 'investigate', '--data', data, '--site', siteFile(site), ...args)
  const gates = () =>
    new ModelGates({
      dataDir: data,
      clock: systemClock,
      box: new Evaluations(data).all[0]?.box ?? '',
      language: () => ({ kind: 'server', destination: 'llm', api: 'openai', model: 'by-heart', sees: false }),
    })

  test('judges a model behind HTTP by all cases, keeps what came of it, and opens and shuts the gate', async () => {
    const out = join(data, 'passed')
    const passed = await run(server(3), '--out', out)
    expect(passed).toMatchObject({ code: 0 })
    expect(passed.out).toContain('# openai:by-heart@llm on cpu-')
    expect(passed.out).toContain('investigate: passed (39 of 42 right')
    expect(gates().why('investigate')).toBeNull()
    expect(gates().why('draft')).toContain('run "gatehouse eval --suite draft"')

    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8'))
    expect(report).toMatchObject({
      mode: 'live',
      model: { name: 'openai:by-heart@llm', hash: null },
      left_out: [],
    })
    expect(report.results).toHaveLength(42)
    expect(report.summaries[0]).toMatchObject({ part: 'all', right: 39, tools: { needed: 41, called: 41 } })
    expect(readFileSync(join(out, 'report.html'), 'utf8')).not.toContain('<script')
    expect(existsSync(join(out, 'calibration-self_reported.svg'))).toBe(true)

    const worse = await run(server(12), '--compare', join(out, 'report.json'), '--json')
    const { comparison, gates: judged } = JSON.parse(worse.out)
    expect(judged).toMatchObject([{ passed: false, score: { right: 30, cases: 42 } }])
    expect(comparison).toMatchObject({
      same_cases: true,
      shared: 42,
      right_before: 39,
      right_now: 30,
      more_than_chance: true,
    })
    expect(comparison.flips).toHaveLength(9)
    expect(gates().why('investigate')).toContain('not passed (30 of 42 right')
  })

  test('leaves the gate as it was where the model was away for a moment, and says so', async () => {
    expect(await run(server(0))).toMatchObject({ code: 0 })
    const away = await run(server(0, 40))
    expect(away.code).toBe(1)
    expect(away.out).toContain('investigate: the model gave no answer: llm answered 500')
    expect(away.err.trim().split('\n').at(-1)).toContain('no gate was judged: see that it runs')
    expect(gates().why('investigate')).toBeNull()
  })

  test('keeps nothing of a part of the cases, of others, or of fixtures', async () => {
    rmSync(join(data, 'evaluations.json'), { force: true })
    const held = await run(server(0), '--held-out', '--json')
    expect(JSON.parse(held.out)).toMatchObject({ gates: [], cases: { splits: ['held_out'] } })
    const fixtures = await run('{}', '--fixtures')
    expect(fixtures).toMatchObject({ code: 0 })
    expect(fixtures.out).toMatch(/^# Fixtures: recorded answers, which say nothing of any model/)
    expect(existsSync(join(data, 'evaluations.json'))).toBe(false)
  })

  test('tries cases of one’s own with what they expect', async () => {
    const { code, out } = await gatehouse('eval', '--fixtures', '--cases', smallCases(), '--json', ...unasked)
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      mode: 'fixtures',
      cases: { own: false },
      calibration: [],
      results: [{ right: true }, { right: true }],
    })
  })

  test.each([
    [['--suite', 'chess'], 2, '--suite is one of: look, investigate, draft, all'],
    [['--seen', '--held-out'], 2, 'say --seen or --held-out'],
    [['--cases', '/nowhere'], 2, 'there is no such folder'],
    [['--suite', 'investigate'], 1, 'there is no language model to judge'],
    [['--compare', join(root, 'package.json')], 1, 'is no report of gatehouse eval'],
    [['extra'], 2, 'is not expected here'],
  ])('%o: says in one line what to do', async (args, code, why) => {
    const { code: is, err } = await gatehouse('eval', ...args, ...unasked)
    expect([is, err.trim().split('\n').length]).toEqual([code, 1])
    expect(err).toContain(why)
  })

  test('without a model leaves out what needs one, and says so', async () => {
    const { code, out } = await gatehouse('eval', '--cases', smallCases(), ...unasked)
    expect(code).toBe(1)
    expect(out).toContain('look: it needs a language model (2)')
  })
})
