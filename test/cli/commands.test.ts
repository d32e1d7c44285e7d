import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, gatehouse, sample, start } from './gatehouse.ts'

const yard = ['run', 'templates/yard-watch.yaml', '--event', '{"camera":"yard"}']
const gate = ['run', 'templates/gate-concierge.yaml', '--event']

function file(name: string, text: string): string {
  const path = join(folder(), name)
  writeFileSync(path, text)
  return path
}

describe('gatehouse run', () => {
  it('prints what was seen, which rule fired, the decision, how sure it was and what was done', async () => {
    const { code, out, err } = await gatehouse(...yard, '--picture', sample('person.jpg'))
    expect(err).toBe('')
    expect(out).toMatch(/saw 640 × \d+: .*person/)
    expect(out).not.toMatch(/0\.\d/)
    expect(out).toContain('rule 1 fired')
    expect(out).toContain('decision: person')
    expect(out).toMatch(/confidence: \d+ % sure that somebody is there, measured/)
    expect(out).toMatch(/^ +severity: medium\n +title: Somebody in the yard\n/m)
    expect(out).not.toMatch(/[{}[\]]"/)
    expect(out).toMatch(/alert {2}then\[0\]\.person\[0\][\s\S]*would have done this/)
    expect(code).toBe(0)
  })

  it('prints why a picture was not judged', async () => {
    const cut = join(folder(), 'cut.jpg')
    writeFileSync(cut, readFileSync(sample('person.jpg')).subarray(0, 900))
    const { out } = await gatehouse(...yard, '--picture', cut)
    expect(out).toMatch(/could not judge the picture: \S/)
    expect(out).not.toContain('undefined')
  })

  it('prints the run as JSON, as the API shows it', async () => {
    const { code, out } = await gatehouse(...yard, '--picture', sample('yard-empty.jpg'), '--on', '--json')
    const run = JSON.parse(out)
    expect(run).toMatchObject({
      status: 'done',
      state: 'on',
      version: 1,
      trigger: { kind: 'event' },
      chain: [],
    })
    expect(run.steps[0]).toMatchObject({
      kind: 'ai',
      path: 'then[0]',
      outcome: 'clear',
      confidence_source: 'measured',
    })
    expect(run.steps[0].tool_calls).toHaveLength(1)
    expect(run.steps[1]).toMatchObject({ kind: 'log', status: 'done' })
    expect(code).toBe(0)
  })

  it('clears everything away when it is stopped before the end', async () => {
    const waits = file(
      'waits.yaml',
      'contract: workflow.v1\nname: W\nwhen: { button: {} }\nthen: [ wait: 10m ]\n',
    )
    const tmp = folder()
    const child = start(['run', waits], { TMPDIR: tmp })
    while (!readdirSync(tmp).length) await Bun.sleep(50)
    await Bun.sleep(500)
    child.kill('SIGINT')
    expect(await child.exited).toBe(1)
    expect(await new Response(child.stderr).text()).toBe('gatehouse: stopped before the run had ended\n')
    expect(readdirSync(tmp)).toEqual([])
  })

  it('takes the event from its caller, whoever would bring it to a box', async () => {
    const lawn = file(
      'lawn.yaml',
      'contract: workflow.v1\nname: L\nwhen: { detect.person_in_zone: { cameras: [yard], min_seconds: 5, zone: lawn } }\n' +
        'then: [ log: "{label} in the {zone}" ]\n',
    )
    const event = '{"camera":"yard","label":"person","zone":"lawn"}'
    const { code, out } = await gatehouse('run', lawn, '--event', event)
    expect(out).toContain('person in the lawn')
    expect(code).toBe(0)
  })

  it('says which guard kept the event out', async () => {
    const site = file(
      'site.yaml',
      'cameras: { gate: {} }\npeople: { joe: { roles: [guard] } }\nlists: { residents: [AB12CDE] }\n' +
        'destinations: { gate: { url: "http://192.0.2.1/", class: move } }\n',
    )
    const { code, out } = await gatehouse(
      ...gate,
      '{"camera":"gate","plate_text":"ab12cde"}',
      '--site',
      site,
      '--json',
    )
    expect(JSON.parse(out)).toMatchObject({ run: null, reason: { code: 'guard' } })
    expect(code).toBe(1)
  })

  it.each([
    [[...yard.slice(0, 2), '--event', '{nope'], 2, /--event is not JSON/],
    [[...yard.slice(0, 2), '--event', '[1]'], 2, /--event must be a JSON object/],
    [[...yard, '--picture', '/nonexistent.jpg'], 2, /there is no such file/],
    [[...yard, '--picture'], 2, /picture/],
    [[...yard, '--picture', 'README.md'], 2, /not a JPEG, PNG or WebP picture/],
    [['run'], 2, /name one workflow file/],
    [['run', '/tmp'], 2, /it is a folder/],
    [['run', 'package.json'], 1, /package\.json:1:\d+ error/],
    [['dance'], 2, /there is no command “dance”/],
    [['version', '--loud'], 2, /unknown option '--loud'/],
    [['models'], 2, /models list/],
    [['up', '--port', '99999'], 2, /--port is a number/],
    [['bench', 'speed'], 2, /bench wear/],
  ] as [string[], number, RegExp][])('%j ends with %i', async (args, code, message) => {
    const result = await gatehouse(...args)
    expect(result.err).toMatch(message)
    expect(result.err.trimEnd().split('\n')).toHaveLength(1)
    expect(result).toMatchObject({ code, out: '' })
  })
})

describe('gatehouse validate', () => {
  it('accepts the templates', async () => {
    const { code, out } = await gatehouse(
      'validate',
      'templates/yard-watch.yaml',
      'templates/gate-concierge.yaml',
    )
    expect(out).toBe('2 of 2 files can run\n')
    expect(code).toBe(0)
  })

  it('prints every problem with its place, as lines and as JSON', async () => {
    const bad = file(
      'bad.yaml',
      'contract: workflow.v1\nname: Bad\nwhen:\n  buton: {}\nthen:\n  - log: "{nothing}"\n',
    )
    const lines = await gatehouse('validate', bad)
    expect(lines.code).toBe(1)
    expect(lines.out).toMatch(/bad\.yaml:4:3 error \w+: .*\(fix: /)
    expect(lines.out).toMatch(/\n0 of 1 files can run; once these errors are mended .*more may be found\n$/)
    const json = await gatehouse('validate', bad, '--json')
    const problems = JSON.parse(json.out)
    expect(problems.length).toBeGreaterThan(0)
    expect(problems[0]).toMatchObject({ severity: 'error', file: bad, line: 4, column: 3 })
    expect(json.code).toBe(1)
  })

  it('holds a file to a site', async () => {
    const site = file('site.yaml', 'cameras: { barn: {} }\n')
    const { code, out } = await gatehouse('validate', 'templates/yard-watch.yaml', '--site', site)
    expect(code).toBe(1)
    expect(out).toContain('unknown_role')
    const wrong = await gatehouse(
      'validate',
      'templates/yard-watch.yaml',
      '--site',
      file('s.yaml', 'camras: {}\n'),
    )
    expect(wrong.out).toMatch(/s\.yaml:1:1 error \w+: .*camras/)
    expect(wrong.code).toBe(1)
    rmSync(site)
  })
})

describe('a site file', () => {
  const bad = () => file('faulty.yaml', 'camras: {}\ntime_zone: Nowhere\npeople: { joe: { role: guard } }\n')

  it('is checked alone, every fault with its line', async () => {
    const { code, out, err } = await gatehouse('validate', '--site', bad())
    expect(out).toMatch(/faulty\.yaml:1:1 error [\s\S]*faulty\.yaml:3:\d+ error /)
    expect([code, err]).toEqual([1, ''])
    const good = await gatehouse('validate', '--site', file('good.yaml', 'cameras: { barn: {} }\n'))
    expect(good).toMatchObject({ code: 0, out: expect.stringContaining('good.yaml can be used') })
  })

  it('with several faults is refused with a line for each', async () => {
    const { code, err } = await gatehouse(...yard, '--site', bad())
    expect(err.trimEnd().split('\n').length).toBeGreaterThan(1)
    expect(err).toMatch(/faulty\.yaml:1:1 .*camras[\s\S]*faulty\.yaml:3:/)
    expect(code).toBe(1)
  })
})

describe('the other commands', () => {
  it('tells the version, the models and the box', async () => {
    expect((await gatehouse('version')).out).toMatch(/^gatehouse \d+\.\d+\.\d+ \(Bun /)
    const models = await gatehouse('models', 'verify', '--json')
    expect(JSON.parse(models.out).every((check: { state: string }) => check.state === 'ok')).toBe(true)
    const box = JSON.parse((await gatehouse('hardware', '--json')).out)
    expect(box).toMatchObject({
      preset: expect.stringMatching(/^(cpu|gpu)$/),
      limits: { calls: expect.any(Number) },
    })
    expect((await gatehouse('hardware')).out).toContain(`Preset "${box.preset}"`)
    const help = await gatehouse('help')
    for (const name of ['up', 'run', 'validate', 'hardware', 'models', 'version']) {
      expect(help.out).toContain(`gatehouse ${name}`)
    }
  })
})

it('refuses files that are not UTF-8, and says what to do', async () => {
  const path = join(folder(), 'latin.yaml')
  writeFileSync(path, Buffer.from('name: Stra\xdfe\n', 'latin1'))
  for (const args of [
    ['validate', path],
    ['validate', 'templates/yard-watch.yaml', '--site', path],
    ['run', path],
  ]) {
    const { code, err } = await gatehouse(...args)
    expect([code, err]).toEqual([1, `gatehouse: ${path} is not UTF-8 text: save it as UTF-8\n`])
  }
})
