import { describe, expect, test } from 'vitest'
import { check } from '../../src/engine/index.ts'
import { Site, SiteError } from '../../src/site/index.ts'

const problems = (yaml: string) => {
  try {
    Site.load(yaml, '/data/site.yaml')
  } catch (error) {
    if (error instanceof SiteError)
      return error.problems.map(({ line, path, message }) => `${line} ${path}: ${message}`)
    throw error
  }
  return []
}

describe('the MQTT broker in a site file', () => {
  test('what is not said goes by the box; nobody unknown lets things move', () => {
    expect(Site.load('mqtt: { url: "mqtt://192.168.1.5" }', '/data/site.yaml').mqtt).toEqual({
      url: new URL('mqtt://192.168.1.5'),
      ...{ user: null, password: null, ca: null, clientId: null, base: null, page: null },
      discoveryPrefix: 'homeassistant',
      name: 'Gatehouse',
      may: new Set(['press', 'answer', 'states', 'pause']),
    })
    expect(Site.load('', 'site.yaml').mqtt).toBeNull()
  })

  test('all of it', () => {
    const yaml = `
mqtt:
  url: mqtts://broker.lan:8884
  user: gatehouse
  password: { secret: mqtt }
  ca: certs/house.pem
  client_id: gate-1
  base: site/gate
  discovery_prefix: ha
  name: Gate
  page: http://gatehouse.lan:8088/
  may: [site_mode]
`
    expect(Site.load(yaml, '/data/site.yaml').mqtt).toMatchObject({
      ...{ user: 'gatehouse', password: { secret: 'mqtt' }, ca: '/data/certs/house.pem' },
      ...{ clientId: 'gate-1', base: 'site/gate', discoveryPrefix: 'ha', name: 'Gate' },
      ...{ page: 'http://gatehouse.lan:8088/', may: new Set(['site_mode']) },
    })
  })

  test.each([
    ['{ url: "http://x" }', 'must be an address such as mqtt://'],
    ['{ url: "mqtt://me:pw@x" }', 'holds credentials'],
    ['{ url: "mqtt://x/topic" }', 'take away what follows'],
    ['{ url: "mqtt://x", password: { secret: p } }', 'mqtt needs user'],
    ['{ url: "mqtt://x", user: u, password: open }', 'must be { secret: <name> }'],
    ['{ url: "mqtt://x", base: "a/#" }', 'holds a + or #'],
    ['{ url: "mqtt://x", base: "a//b" }', 'must not begin or end with /'],
    ['{ url: "mqtt://x", base: homeassistant/gate }', 'must not lie under discovery_prefix'],
    ['{ url: "mqtt://x", discovery_prefix: $SYS }', 'must not begin with $'],
    ['{ url: "mqtt://x", page: "ftp://x" }', 'must be an address that begins with http'],
    ['{ url: "mqtt://x", ca: a.pem }', 'begins with mqtts'],
    ['{ url: "mqtt://x", client_id: "a b" }', 'letters, digits, _ and -'],
    ['{ url: "mqtt://x", may: [open_gates] }', 'must be one of press, answer'],
    ['{ user: u }', 'mqtt needs url'],
  ])('%s: %s', (mqtt, message) => {
    const found = problems(`mqtt: ${mqtt}`)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
    expect(found[0]).not.toContain('pw')
  })
})

describe('topics as destinations', () => {
  const listed = (destination: string, mqtt = '{ url: "mqtt://x" }') =>
    problems(`mqtt: ${mqtt}\ndestinations:\n  it: ${destination}`)

  test('one topic, with what it does, and what the broker is to do with it', () => {
    const yaml = 'destinations: { it: { topic: hall/lamp, class: tell, retain: true, qos: 0 } }'
    const site = Site.load(yaml, 'site.yaml')
    expect(site.topic('it')).toEqual({ name: 'it', topic: 'hall/lamp', class: 'tell', retain: true, qos: 0 })
    expect(site.destination('it')).toBeNull()
    expect(site.view().destinations.get('it')).toBe('tell')
    expect(listed('{ topic: gate/open, class: move, qos: 1 }')).toEqual([])
  })

  test.each([
    ['{ class: tell }', 'needs url, or topic'],
    ['{ topic: a, url: "http://x", class: tell }', 'leave url, method, headers and sign out'],
    ['{ url: "http://x", class: tell, retain: true }', 'retain and qos belong to topics'],
    ['{ topic: a/+/b, class: tell }', 'holds a + or #'],
    ['{ topic: "a/#", class: tell }', 'holds a + or #'],
    ['{ topic: $SYS/x, class: tell }', 'must not begin with $'],
    ['{ topic: "a\\tb", class: tell }', 'control character'],
    [`{ topic: ${'ö'.repeat(200)}, class: tell }`, 'at most 250 bytes'],
    ['{ topic: gatehouse/1/x/set, class: tell }', 'lies under gatehouse'],
    ['{ topic: homeassistant/status, class: tell }', 'lies under homeassistant'],
    ['{ topic: gate/open, class: move, retain: true }', 'moves things again'],
    ['{ topic: gate/open, class: move, qos: 0 }', 'must be 1'],
    ['{ topic: gate/open, class: move, qos: 2 }', 'must be 0 or 1'],
  ])('%s: %s', (destination, message) => {
    const found = listed(destination)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(message)
  })

  test('a base of its own is its own, too', () => {
    expect(
      listed('{ topic: site/gate/x, class: tell }', '{ url: "mqtt://x", base: site/gate }'),
    ).toHaveLength(1)
    expect(listed('{ topic: site/gates, class: tell }', '{ url: "mqtt://x", base: site/gate }')).toEqual([])
  })

  test('a workflow sends requests to addresses and publishes to topics', () => {
    const site = Site.load(
      `
destinations:
  lamp: { topic: hall/lamp, class: tell }
  chat: { url: "http://192.168.1.9", class: tell }
`,
      'site.yaml',
    )
    const codes = (step: string) =>
      check(`contract: workflow.v1\nname: A\nstate: test\nwhen: { button: {} }\nthen: [ ${step} ]\n`, {
        site,
        world: { broker: { lacks: null, publish: async () => undefined } },
      }).problems.map(({ code, path }) => `${code} ${path}`)
    expect(codes('mqtt: { to: lamp, json: ON }')).toEqual([])
    expect(codes('webhook: { to: chat }')).toEqual([])
    expect(codes('mqtt: { to: chat }')).toEqual(['destination_sort then[0].mqtt.to'])
    expect(codes('webhook: { to: lamp }')).toEqual(['destination_sort then[0].webhook.to'])
  })
})
