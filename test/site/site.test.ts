import { describe, expect, test } from 'vitest'
import { parse } from '../../src/contract/index.ts'
import { Site, SiteError, selfMapped } from '../../src/site/index.ts'

const load = (text: string) => Site.load(text, '/data/site.yaml')

/** `line:column code message` of each problem. */
function problemsOf(text: string): string[] {
  try {
    load(text)
  } catch (error) {
    if (!(error instanceof SiteError)) throw error
    expect(error.message).not.toContain('\n')
    return error.problems.map(it => `${it.line}:${it.column} ${it.code} ${it.message}`)
  }
  return []
}

const WHOLE = `
time_zone: Europe/Berlin
facts: |
  The gate opens inward.
cameras:
  yard:
    name: The yard
    source: { folder: cameras/yard }
    zones:
      lane: [[0, 0], [1, 0.5], [0.25, 1]]
  "7":
    roles: [gate, yard]
    source:
      snapshot: { url: "http://192.168.1.20/snap.jpg", user: admin, password: { secret: gate-camera } }
  blind:
people:
  anna: { roles: [guard] }
  bert:
lists:
  residents: [0123, yes, "AB 12", 1e3]
  staff:
destinations:
  chat: { url: "https://chat.example/hook", class: tell, headers: { X-Key: { secret: chat }, X-Site: Home } }
  gate: { url: http://10.0.0.5/open, class: move, method: PUT }
apps:
  gate-controller: { open: move, status: read }
plain_alert_sources: [app.smoke]
trusted_webhooks: [yard-watch]
informing_services: [switch.turn_on switch.hall_lamp]
plate_confidence: 0.95
`

describe('a destination to which nothing will ever be sent', () => {
  test.each([
    ['http://127.0.0.1:9/open', 'move', 'must not be on this box itself'],
    ['http://[::1]/open', 'move', 'must not be on this box itself'],
    ['http://localhost:9/open', 'move', 'must not be on this box itself'],
    ['http://localhost:9/note', 'tell', 'write 127.0.0.1'],
    ['http://127.0.0.1:9/note', 'tell', null],
    ['http://192.0.2.1/open', 'move', null],
    ['http://gate.local/open', 'move', null],
  ])('%s as %s', (url, effect, why) => {
    const site = load(`people: {}\ndestinations:\n  gate: { url: "${url}", class: ${effect} }\n`)
    const found = site.warnings.map(({ severity, line, code, message }) => ({
      severity,
      line,
      code,
      message,
    }))
    const message = expect.stringContaining(why ?? '')
    expect(found).toEqual(
      why === null ? [] : [{ severity: 'warning', line: 3, code: 'destination_unreachable', message }],
    )
    const file = `contract: workflow.v1
name: Gate
when: { schedule: { at: "08:00" } }
then: [ webhook: { to: gate } ]
`
    const { workflow, problems } = parse(file, { site: site.view() })
    expect(workflow).not.toBeNull()
    expect(problems.map(({ line, code }) => [line, code])).toEqual(
      why === null ? [] : [[4, 'destination_unreachable']],
    )
  })
})

describe('a site file', () => {
  test('is read whole', () => {
    const site = load(WHOLE)
    expect(site.timeZone).toBe('Europe/Berlin')
    expect(site.facts).toBe('The gate opens inward.')
    expect(site.camera('yard')).toMatchObject({
      name: 'The yard',
      roles: ['yard'],
      source: { kind: 'folder', path: '/data/cameras/yard' },
    })
    expect(site.zone('yard', 'lane')).toEqual([
      [0, 0],
      [1, 0.5],
      [0.25, 1],
    ])
    expect([site.zone('yard', 'none'), site.zone('nobody', 'lane'), site.zone(null, 'lane')]).toEqual([
      null,
      null,
      null,
    ])
    expect(site.rolesOf('7')).toEqual(['gate', 'yard'])
    expect(site.rolesOf('nobody')).toEqual([])
    expect(site.camerasWithRole('yard')).toEqual(['7', 'yard'])
    expect(site.cameraName('yard')).toBe('The yard')
    expect(site.cameraName('nobody')).toBeNull()
    expect(site.destination('gate')).toMatchObject({ class: 'move', method: 'PUT' })
    expect(site.destination('chat')?.headers).toEqual([
      { name: 'X-Key', value: { secret: 'chat' } },
      { name: 'X-Site', value: 'Home' },
    ])
    expect(site.destination('constructor')).toBeNull()
  })

  test('keeps list entries as they were written', () => {
    expect(load(WHOLE).list('residents')).toEqual(['0123', 'yes', 'AB 12', '1e3'])
    expect(load(WHOLE).list('staff')).toEqual([])
    expect(load(WHOLE).list('nobody')).toBeNull()
  })

  test('says to the validator what it knows', () => {
    const view = load(WHOLE).view('yard-watch')
    expect([...view.roles].sort()).toEqual(['blind', 'gate', 'yard'])
    expect([...view.people]).toEqual(['anna', 'bert'])
    expect([...view.personRoles]).toEqual(['guard'])
    expect(view.destinations.get('gate')).toBe('move')
    expect(view.destinations.get('nobody')).toBeUndefined()
    expect(view.apps.get('gate-controller')?.get('open')).toEqual({ informing: false })
    expect(view.apps.get('gate-controller')?.get('status')).toEqual({ informing: true })
    expect(view.plainAlertSources.has('app.smoke')).toBe(true)
    expect(view.informingServices.has('switch.turn_on switch.hall_lamp')).toBe(true)
    expect(view.trustedWebhook).toBe(true)
    expect(load(WHOLE).view('other').trustedWebhook).toBe(false)
    expect(load(WHOLE).view().trustedWebhook).toBe(false)
    expect(view.plateConfidence).toBe(0.95)
  })

  test.each(['', '\n', '# nothing yet\n', 'cameras:\nlists: {}\n', '---\n'])('may hold nothing: %j', text => {
    const site = load(text)
    expect(site.cameras).toEqual([])
    expect(site.destinations).toEqual([])
    expect(site.modes).toEqual(['disarmed', 'armed_home', 'armed_away'])
    expect(site.view()).toMatchObject({ trustedWebhook: false, plateConfidence: 0.9 })
    expect(site.view().destinations.size).toBe(0)
  })

  test('names everything that is wrong at once, in order, with its place', () => {
    const text = `camras: {}
cameras:
  yard:
    rolls: [a]
    source: { folder: x, snapshot: http://a/ }
  "!": {}
destinations:
  a: { url: "ftp://a", class: tells }
  b: { url: "http://b" }
  c: { url: [x], class: move }
lists: [a]
plate_confidence: 2
`
    expect(problemsOf(text)).toEqual([
      '1:1 unknown_key camras is not known: did you mean cameras?',
      '4:5 unknown_key cameras.yard.rolls is not known: did you mean roles?',
      '6:3 bad_name cameras.!: ! is not a name: use letters, digits, _ and -, beginning with a letter.',
      '8:24 wrong_value destinations.a.class must be read, tell or move.',
      '9:3 missing_key destinations.b needs class: add it.',
      '10:8 wrong_value destinations.c.url must be a text.',
      '11:1 wrong_value lists must be lists by name.',
      '12:1 wrong_value plate_confidence must be a number from 0 to 1.',
    ])
  })

  test.each([
    ['time_zone: Mars/Olympus', '1:1 wrong_value time_zone must be'],
    [`facts: ${'w '.repeat(301)}`, '1:1 too_long facts has 301 words'],
    [`facts: ${'w-'.repeat(301)}w`, '1:1 too_long facts has 302 words'],
    ['cameras: { "7": {} }', '1:12 missing_key cameras.7 needs roles'],
    ['cameras: { a: { source: {} } }', 'must be one of folder:, snapshot:, rtsp:, onvif: and nvr:'],
    ['cameras: { a: { source: { snapshot: "file:///etc/passwd" } } }', 'begins with http'],
    ['cameras: { a: { zones: { z: [[0, 0], [1, 2], [0, 1]] } } }', 'must be a number from 0 to 1'],
    ['destinations: { a: { url: "http://u:p@h/", class: tell } }', 'credentials_in_url'],
    ['destinations: { a: { url: "http://h/", class: tell, headers: { Host: x } } }', 'is set by Gatehouse'],
    ['destinations: { a: { url: "http://h/", class: tell, headers: { X: "a\\nb" } } }', 'one line'],
    ['destinations: { a: { url: "http://h/", class: tell, headers: { "X Y": a } } }', 'bad_name'],
    [
      'destinations: { a: { url: "http://h/", class: tell, headers: { X: { secret: ../k } } } }',
      'wrong_value',
    ],
    ['modes: []', 'modes must be a list of names'],
    ['lists: { a: [b, [c]] }', '1:17 wrong_value lists.a.1 must be a text'],
    ['people: { a: { roles: [b] }, a: {} }', '1:30 duplicate_key'],
    ['"__proto__": { a: b }', 'unknown_key __proto__ is not known'],
    ['cameras: { constructor: { polluted: 1 } }', 'unknown_key cameras.constructor.polluted'],
    ['a: &x 1\nb: *x', 'Anchors and aliases'],
    ['lists: !!set { a: [] }', 'yaml'],
    ['a\n--- \nb', '2:1 yaml'],
    ['lists: { a: [', 'yaml'],
    ['[a]', 'The file must be a site'],
    ['just text', 'The file must be a site'],
    [`lists: ${'['.repeat(20)}${']'.repeat(20)}`, 'nested too deeply'],
    ['? [a]\n: b', 'A key has to be a text'],
  ])('%j is refused', (text, expected) => {
    expect(problemsOf(text).join('\n')).toContain(expected)
  })

  test('credentials in a camera address are in no problem', () => {
    const text = 'cameras: { a: { source: { snapshot: "http://admin:hunter2@[/", folder: x } }, b: { x: y } }'
    expect(problemsOf(text).length).toBeGreaterThan(0)
    expect(problemsOf(text).join()).not.toContain('hunter2')
    expect(
      problemsOf('cameras: { a: { source: { snapshot: "http://admin:hunter2@[/" } } }').join(),
    ).not.toContain('hunter2')
  })

  test('a huge or hostile file is refused before it is built', () => {
    const deep = 'yaml This is nested too deeply: see the example of a site file.'
    for (const text of ['['.repeat(200_000), '{ a: '.repeat(80_000), '- '.repeat(200_000)]) {
      const problems = problemsOf(text)
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(/^1:\d\d yaml /)
      expect(problems[0]).toContain(deep)
    }
    expect(problemsOf('x'.repeat(600_000))[0]).toContain('too_large')
  })

  test('thousands of keys are compared in one pass', () => {
    const keys = Array.from({ length: 30_000 }, (_, i) => `k${i}: x`).join('\n')
    const started = performance.now()
    expect(problemsOf(keys)).toHaveLength(50)
    // With the square of the keys it would take minutes.
    expect(performance.now() - started).toBeLessThan(30_000)
  }, 60_000)

  test('a secret may be named as Home Assistant names them', () => {
    const named = (password: string) =>
      `mqtt: { url: "mqtt://x", user: u, password: ${password} }\nlists: { a: [b] }`
    expect(Site.load(named('!secret broker'), '/d/site.yaml').mqtt?.password).toEqual({ secret: 'broker' })
    for (const wrong of [
      '!secret',
      '!secret "a b"',
      '!secret ../key',
      '!secret { a: b }',
      '!secret [a]',
      '!env x',
    ])
      expect(problemsOf(named(wrong))[0]).toMatch(/^1:\d\d \w+ .*secret/)
    expect(problemsOf(named('!env x'))[0]).toContain('No tag but !secret is used here')
    // Where no secret may be named it is none.
    expect(problemsOf('lists: { a: [!secret b] }')).not.toEqual([])
    expect(problemsOf('facts: !secret b')).not.toEqual([])
  })

  test('a limit of AI calls for the whole site is a whole number, or none', () => {
    expect(load('ai_per_hour: 300').aiPerHour).toBe(300)
    expect(load('{}').aiPerHour).toBeNull()
    for (const wrong of ['0', '-5', '2.5', 'many', '100000'])
      expect(problemsOf(`ai_per_hour: ${wrong}`)).toEqual([
        expect.stringContaining('a whole number from 1 to 99999'),
      ])
  })

  test('a second document is refused', () => {
    expect(problemsOf('lists: {}\n---\nlists: {}\n')[0]).toContain('one document')
  })

  test('a password in a camera address is a problem that shows the way', () => {
    const [problem, ...more] = problemsOf(
      'cameras: { gate: { source: { snapshot: "http://admin:hunter2@10.0.0.9/jpg" } } }',
    )
    expect(more).toEqual([])
    expect(problem).toContain('credentials_in_url cameras.gate.source.snapshot')
    expect(problem).toContain('password: { secret: <name> }')
    expect(problem).not.toContain('hunter2')
    const named = '{ url: "http://10.0.0.9/jpg", user: admin, password: { secret: gate-camera } }'
    const site = load(`cameras: { gate: { source: { snapshot: ${named} } } }`)
    expect(site.camera('gate')?.source).toEqual({
      kind: 'snapshot',
      url: new URL('http://10.0.0.9/jpg'),
      user: 'admin',
      password: { secret: 'gate-camera' },
    })
    expect(
      problemsOf(
        `cameras: { gate: { source: { snapshot: ${named.replace('{ secret: gate-camera }', 'x')} } } }`,
      ),
    ).not.toEqual([])
  })
})

test('without a site roles are cameras, names are known and nothing may be sent', () => {
  const site = selfMapped()
  expect(site.camerasWithRole('yard')).toEqual(['yard'])
  expect(site.rolesOf('yard')).toEqual(['yard'])
  expect(site.cameraName('yard')).toBe('yard')
  expect(site.list('residents')).toEqual([])
  expect(site.destination('chat')).toBeNull()
  const view = site.view('x')
  expect([
    view.roles.has('yard'),
    view.lists.has('a'),
    view.people.has('b'),
    view.personRoles.has('c'),
  ]).toEqual([true, true, true, true])
  expect(view.destinations.has('chat')).toBe(false)
  expect(view.trustedWebhook).toBe(false)
})
