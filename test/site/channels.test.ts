import { describe, expect, test } from 'vitest'
import { Site, SiteError } from '../../src/site/index.ts'

const GOOD = `
page_url: "https://gate.lan:8443/"
people:
  ann:
    roles: [guard, owner]
    channels: [{ via: push, from: medium }, { via: mail, at: ann@site.example }]
    quiet_hours: { from: "22:00", to: "06:00", days: [mon, tue] }
  ben: { roles: [guard], channels: [{ via: push, at: gate-ben }, { via: desk }] }
  cleo: { roles: [owner] }
channels:
  push: { kind: ntfy, url: "https://ntfy.example/base/", topic: gate-all, token: { secret: ntfy }, per_minute: 4, pictures: false }
  mail: { kind: smtp, host: mail.example, from: "Gate <gate@site.example>", user: gate, password: { secret: mail } }
  relay: { kind: smtp, host: "fd00::25", security: none, from: gate@site.example, to: all@site.example }
  desk: { kind: webhook, destination: tickets }
  bus: { kind: mqtt, destination: told }
alerts: { to: ["role:guard", "person:cleo", "channel:relay", "channel:bus"], from: high }
mqtt: { url: "mqtt://192.0.2.1" }
destinations:
  tickets: { url: "https://tickets.example/in", class: tell }
  told: { topic: site/told, class: tell }
  gate: { url: "http://192.0.2.9/open", class: move }
  horn: { topic: site/horn, class: move }
`

/** What is wrong with a file, each problem with its line. */
function problems(text: string): string[] {
  try {
    Site.load(text, 'site.yaml')
    return []
  } catch (error) {
    if (!(error instanceof SiteError)) throw error
    return error.problems.map(({ line, message }) => `${line}: ${message}`)
  }
}

describe('channels of a site', () => {
  test('are read with who is told where', () => {
    const site = Site.load(GOOD, '/data/site.yaml')
    const { channels, people, alerts, page } = site.reach
    expect(page).toBe('https://gate.lan:8443')
    expect(JSON.parse(JSON.stringify([...channels.values()]))).toEqual([
      {
        ...{ name: 'push', kind: 'ntfy', topic: 'gate-all', token: { secret: 'ntfy' }, perMinute: 4 },
        ...{ pictures: false, url: 'https://ntfy.example/base' },
      },
      {
        ...{ name: 'mail', kind: 'smtp', host: 'mail.example', port: 587, security: 'starttls', ca: null },
        ...{ from: 'Gate <gate@site.example>', to: null, user: 'gate', password: { secret: 'mail' } },
        ...{ perMinute: 10, pictures: true },
      },
      {
        ...{ name: 'relay', kind: 'smtp', host: '[fd00::25]', port: 25, security: 'none', ca: null },
        ...{ from: 'gate@site.example', to: 'all@site.example', user: null, password: null },
        ...{ perMinute: 10, pictures: true },
      },
      { name: 'desk', kind: 'webhook', destination: 'tickets', perMinute: 10, pictures: true },
      { name: 'bus', kind: 'mqtt', destination: 'told', perMinute: 10, pictures: true },
    ])
    expect(people.get('ann')).toEqual({
      channels: [
        { channel: 'push', at: null, from: 'medium' },
        { channel: 'mail', at: 'ann@site.example', from: 'low' },
      ],
      quiet: { from: '22:00', to: '06:00', days: ['mon', 'tue'] },
    })
    expect(alerts).toEqual({
      to: ['role:guard', 'person:cleo', 'channel:relay', 'channel:bus'],
      from: 'high',
    })
    expect(site.peopleBy('role:guard')).toEqual(['ann', 'ben'])
    expect(site.peopleBy('person:cleo')).toEqual(['cleo'])
    expect(site.peopleBy('person:nobody')).toEqual([])
  })

  test('say nothing without being asked: alerts are the owner’s from medium on, there is no link', () => {
    expect(Site.load('', 'site.yaml').reach).toEqual({
      channels: new Map(),
      people: new Map(),
      alerts: { to: ['role:owner'], from: 'medium' },
      page: null,
    })
  })

  test('the page of the site is that of the broker and of Home Assistant, where they name no other', () => {
    const of = (more: string) => {
      const site = Site.load(
        `page_url: "http://gate.lan:8088"\nmqtt: { url: "mqtt://192.0.2.1"${more} }\nhome_assistant: { url: "http://192.0.2.2", token: { secret: a }${more} }`,
        'site.yaml',
      )
      return [site.mqtt?.page, site.homeAssistant?.page]
    }
    expect(of('')).toEqual(['http://gate.lan:8088', 'http://gate.lan:8088'])
    expect(of(', page: "http://other.lan/"')).toEqual(['http://other.lan/', 'http://other.lan/'])
  })

  test('stay a person’s own where the person is set on the box', () => {
    const site = Site.load(GOOD, 'site.yaml').withRules({ people: { ann: { roles: ['guard'] }, dan: {} } }, 2)
    expect(site.reach.people.get('ann')?.channels).toHaveLength(2)
    expect(site.reach.people.get('ann')?.quiet?.from).toBe('22:00')
    expect(site.reach.people.get('dan')?.channels).toEqual([])
    const told = { ann: { channels: [{ via: 'mail', at: 'new@site.example' }] } }
    const other = Site.load(GOOD, 'site.yaml').withRules({ people: told }, 3)
    expect(other.reach.people.get('ann')?.channels.map(({ at }) => at)).toEqual(['new@site.example'])
  })

  test.each([
    ['kind: pigeon', 'must be ntfy, smtp, webhook, mqtt or home_assistant'],
    ['kind: ntfy', 'channels.push is ntfy and needs url: add it.'],
    ['kind: ntfy, url: "ftp://x"', 'channels.push.url must be an address that begins with http.'],
    ['kind: ntfy, url: "https://user:pw@x"', 'channels.push.url holds credentials'],
    ['kind: ntfy, url: "https://x/?auth=abc"', 'take away the rest'],
    ['kind: ntfy, url: "https://x", topic: "a/b"', 'channels.push.topic must be letters, digits'],
    [
      'kind: ntfy, url: "https://x", host: x',
      'channels.push.host belongs to another kind: ntfy takes url, topic, token.',
    ],
    ['kind: smtp, host: x', 'channels.push is smtp and needs from: add it.'],
    ['kind: smtp, host: "x:25", from: a@b.example', 'channels.push.host must be the name or address'],
    [
      'kind: smtp, host: x, from: "a@b.example\\nBcc: c@d.example"',
      'channels.push.from must be a mail address',
    ],
    [
      'kind: smtp, host: x, from: a@b.example, to: "a@b.example, c@d.example"',
      'channels.push.to must be a mail address',
    ],
    ['kind: smtp, host: x, from: a@b.example, user: me', 'user and password: { secret: <name> } both'],
    [
      'kind: smtp, host: x, from: a@b.example, security: none, user: me, password: { secret: s }',
      'channels.push must not send a password in the clear',
    ],
    ['kind: smtp, host: x, from: a@b.example, port: 70000', 'a number from 1 to 65535'],
    ['kind: webhook, destination: nowhere', 'channels.push.destination is not listed: add nowhere'],
    ['kind: webhook, destination: told', 'is a topic: use kind: mqtt'],
    ['kind: mqtt, destination: tickets', 'is an address: use kind: webhook'],
    ['kind: webhook, destination: gate', 'moves something: nobody is told by what moves'],
    ['kind: mqtt, destination: horn', 'moves something: nobody is told by what moves'],
    ['kind: webhook, destination: tickets, per_minute: 0', 'must be a number from 1 to 999'],
  ])('%s is refused', (channel, why) => {
    const text = GOOD.replace(/^ {2}push: .*$/m, `  push: { ${channel} }`)
    const line = text.split('\n').findIndex(each => each.startsWith('  push:')) + 1
    const found = problems(text)
    expect(
      found.some(each => each.startsWith(`${line}: `) && each.includes(why)),
      found.join('\n'),
    ).toBe(true)
  })

  test.each([
    ['{ via: pigeon }', 'people.ben.channels: pigeon is not among channels: add it there.'],
    ['{ via: mail }', 'people.ben.channels: mail needs at: a mail address.'],
    ['{ via: mail, at: "ben" }', 'people.ben.channels: mail needs at: one mail address.'],
    ['{ via: push, at: "a b" }', 'people.ben.channels: push has at, which must be letters'],
    ['{ via: desk, at: x }', 'people.ben.channels: desk goes to one place only: leave at out.'],
    ['{ via: push, from: loud }', 'must be low, medium, high or critical'],
  ])('%s is refused for a person', (channel, why) => {
    const found = problems(GOOD.replace('{ via: push, at: gate-ben }', channel))
    expect(
      found.some(each => each.startsWith('8: ') && each.includes(why)),
      found.join('\n'),
    ).toBe(true)
  })

  test.each([
    ['quiet_hours: { from: "22:00", to: "22:00" }', 'begin and end at 22:00'],
    ['quiet_hours: { from: 22, to: "06:00" }', 'must be a time of day in quotes'],
    ['quiet_hours: { from: "22:00", to: "06:00", days: [someday] }', 'must be one of mon, tue'],
  ])('%s is refused', (quiet, why) => {
    const found = problems(GOOD.replace(/quiet_hours: .*$/m, quiet))
    expect(
      found.some(each => each.startsWith('7: ') && each.includes(why)),
      found.join('\n'),
    ).toBe(true)
  })

  test.each([
    ['["person:nobody"]', 'alerts.to: person:nobody is not among people.'],
    ['["channel:nobody"]', 'alerts.to: channel:nobody is not among channels.'],
    ['["channel:mail"]', 'alerts.to: channel:mail needs to at the channel.'],
    ['[ann]', 'must be role:<role>, person:<name> or channel:<name>'],
  ])('alerts to %s are refused', (to, why) => {
    const found = problems(GOOD.replace(/to: \["role.*?\]/, `to: ${to}`))
    expect(
      found.some(each => each.includes(why)),
      found.join('\n'),
    ).toBe(true)
  })

  test.each(['gate.lan', 'https://me:pw@gate.lan', 'https://gate.lan/?token=x'])(
    'the page at %s is refused',
    page => {
      expect(problems(GOOD.replace(/^page_url: .*$/m, `page_url: "${page}"`)).join()).toContain(
        'page_url must be',
      )
    },
  )
})
