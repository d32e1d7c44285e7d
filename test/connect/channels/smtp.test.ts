import { describe, expect, test } from 'vitest'
import { eventually, jpeg } from '../helpers.ts'
import { certificate, hasMail, MailServer } from './smtp-server.ts'
import { World } from './world.ts'

const site = (port: number, more: string) => `
page_url: "https://gate.lan:8088"
cameras:
  gate: { name: Main gate, roles: [gate] }
people:
  ann: { roles: [owner], channels: [{ via: mail, at: ann@site.example }] }
  ben: { roles: [guard], channels: [{ via: mail, at: ben@site.example }] }
alerts: { to: ["role:guard"] }
channels:
  mail: { kind: smtp, host: 127.0.0.1, port: ${port}, from: "Gate <gate@site.example>"${more} }
`
const OPEN = ', security: none'
const login = (security: string, ca?: string) =>
  `, security: ${security}, user: gate, password: { secret: mail }${ca === undefined ? '' : `, ca: "${ca}"`}`
const USER = { user: 'gate', password: 'good-password' }

/** A header of a mail, unfolded. */
const header = (mail: string, name: string) =>
  new RegExp(`^${name}:(.*(?:\r?\n[ \t].*)*)`, 'im')
    .exec(mail)?.[1]
    ?.replace(/\r?\n[ \t]/g, ' ')
    .trim()

/** The text of a mail, decoded. */
function textOf(mail: string): string {
  const part = mail.slice(mail.search(/content-type: text\/plain/i))
  const [head = '', ...rest] = part.split(/\r?\n\r?\n/)
  const body = (rest.join('\n\n').split(/\r?\n--/)[0] ?? '').replaceAll('\r\n', '\n')
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString().replaceAll('\r\n', '\n')
  return /quoted-printable/i.test(head)
    ? Buffer.from(
        body
          .replace(/=\r?\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      )
        .toString()
        .replaceAll('\r\n', '\n')
    : body
}

describe.skipIf(!hasMail)('mail', () => {
  test('goes to each by itself, with picture and link; mails of one run stand together', async () => {
    const server = await MailServer.start()
    const world = await World.start(site(server.port, OPEN))
    const id = await world.box.save(RING, 'on')
    const pictures = [{ bytes: jpeg(3), takenAt: world.box.clock.now(), source: 'upload' }]
    const run = await world.box.run({ ...world.box.hook(id, {}, 'gate'), pictures })
    await eventually(() => server.mails.length === 3)
    expect(server.mails.map(({ to }) => to)).toEqual([
      ['ben@site.example'],
      ['ben@site.example'],
      ['ben@site.example'],
    ])
    const [first, again, other] = server.mails.map(({ mail }) => mail)
    expect(first).toMatch(/filename=picture\.jpg/)
    expect(first).toContain(Buffer.from(jpeg(7)).toString('base64').slice(0, 60))
    expect(header(first ?? '', 'from')).toBe('Gate <gate@site.example>')
    expect(header(first ?? '', 'subject')).toMatch(/^=\?UTF-8\?/)
    expect(header(first ?? '', 'auto-submitted')).toBe('auto-generated')
    expect(header(first ?? '', 'importance')).toBe('high')
    expect(textOf(first ?? '')).toContain('Zeile eins\nZeile zwei €')
    expect(textOf(first ?? '')).toContain(`https://gate.lan:8088/runs/${run.id}`)
    const thread = header(first ?? '', 'references')
    expect(thread).toMatch(/^<run-[0-9a-f]{20}@/)
    expect(header(again ?? '', 'references')).toBe(thread)
    expect(header(other ?? '', 'references')).not.toBe(thread)
    expect(new Set(server.mails.map(({ mail }) => header(mail, 'message-id'))).size).toBe(3)
    await world.tell({ title: 'of the box' })
    await eventually(() => server.mails.length === 4)
    expect(server.mails[3]?.to).toEqual(['ann@site.example'])
  })

  test('nothing of a text becomes a header, an address or a second mail', async () => {
    const server = await MailServer.start()
    const world = await World.start(site(server.port, OPEN))
    await world.tell({
      title: 'Hi\r\nBcc: eve@evil.example\r\n\r\nbody\u2028x\u202Egnp',
      body: 'one\r\n.\r\nMAIL FROM:<eve@evil.example>\r\nRCPT TO:<eve@evil.example>\u0007',
    })
    await eventually(() => server.mails.length === 1)
    const { to, mail } = server.mails[0] ?? { to: [], mail: '' }
    expect(to).toEqual(['ann@site.example'])
    expect(header(mail, 'bcc')).toBeUndefined()
    expect(mail.split(/\r?\n\r?\n/, 1)[0]).not.toMatch(/^Bcc/im)
    expect(header(mail, 'subject')).toBe('Hi Bcc: eve@evil.example body xgnp')
    expect(textOf(mail)).toContain('one\n.\nMAIL FROM')
  })

  test.each(['starttls', 'tls'] as const)(
    'by %s with a password, and the certificate that is named',
    async security => {
      const { cert, key } = certificate()
      const server = await MailServer.start({ security, cert, key, ...USER })
      const world = await World.start(site(server.port, login(security, cert)))
      world.secret('mail', USER.password)
      await world.tell({ title: 'one' })
      await eventually(() => server.mails.length === 1)
      expect(server.mails[0]).toMatchObject({ user: 'gate', sender: 'gate@site.example' })
      if (security === 'starttls') expect(server.mails[0]?.tls).toBe(true)
    },
  )

  test.each(['starttls', 'tls'] as const)(
    'by %s nothing is told to a server whose certificate nobody knows',
    async security => {
      const { cert, key } = certificate()
      const server = await MailServer.start({ security, cert, key, ...USER })
      const world = await World.start(site(server.port, login(security)))
      world.secret('mail', USER.password)
      await world.tell({ title: 'one' })
      await eventually(() => world.channels.problem !== null)
      expect(world.channels.problem).toContain('no secure connection came about')
      expect(server.logins).toEqual([])
    },
  )

  test('a server that offers no encryption is told nothing', async () => {
    const server = await MailServer.start()
    const world = await World.start(site(server.port, login('starttls')))
    world.secret('mail', USER.password)
    await world.tell({ title: 'one' })
    await eventually(() => world.channels.problem !== null)
    expect(world.channels.problem).toContain('no secure connection came about')
    expect(server.mails).toEqual([])
  })

  test('a wrong password is said and tried ever more rarely; with the right one all goes out', async () => {
    const { cert, key } = certificate()
    const server = await MailServer.start({ security: 'starttls', cert, key, ...USER })
    const world = await World.start(site(server.port, login('starttls', cert)))
    world.secret('mail', 'bad-password')
    await world.tell({ title: 'one' }, { title: 'two', kind: 'notify', audience: 'role:guard' })
    await eventually(() => world.channels.problem !== null)
    expect(world.channels.problem).toBe('channels.mail: the mail server refuses user and password.')
    expect(JSON.stringify(world.channels.problems())).not.toContain('bad-password')
    await world.after(60_000)
    await eventually(() => server.logins.length >= 2)
    expect(server.logins.length).toBeLessThanOrEqual(8)
    world.secret('mail', USER.password)
    for (let n = 0; n < 40 && server.mails.length < 2; n++) {
      await world.after(2_000)
      await Bun.sleep(50)
    }
    await eventually(() => server.mails.length === 2)
    expect(world.channels.problem).toBe(null)
  }, 20_000)

  test('an address that is refused does not hold up the others, one that is put off comes later', async () => {
    const refuse: Record<string, string> = {
      'ann@site.example': '550 5.1.1 No such user',
      'ben@site.example': '450 4.2.0 Greylisted',
    }
    const server = await MailServer.start({ refuse })
    const world = await World.start(site(server.port, OPEN))
    await world.tell({ title: 'ann' }, { title: 'ben', kind: 'notify', audience: 'person:ben' })
    await eventually(() => server.refused.length === 2)
    await eventually(() => world.feeds.shed.mail_refused === 1)
    expect(world.channels.problem).toBe(null)
    await server.stop()
    await server.up()
    for (let n = 0; n < 40 && server.mails.length < 1; n++) {
      await world.after(2_000)
      await Bun.sleep(50)
    }
    await eventually(() => server.mails.length === 1)
    expect(server.mails[0]?.to).toEqual(['ben@site.example'])
  }, 20_000)

  test('a sender that the server does not know is said', async () => {
    const server = await MailServer.start({ sender: 'other@site.example' })
    const world = await World.start(site(server.port, OPEN))
    await world.tell({ title: 'one' })
    await eventually(() => world.channels.problem !== null)
    expect(world.channels.problem).toContain('does not take mails from this sender')
  })

  test('where it takes no file the text goes alone', async () => {
    const server = await MailServer.start({ no_files: true })
    const world = await World.start(site(server.port, OPEN))
    const id = await world.box.save(RING, 'on')
    const pictures = [{ bytes: jpeg(3), takenAt: world.box.clock.now(), source: 'upload' }]
    await world.box.run({ ...world.box.hook(id, {}, 'gate'), pictures })
    await eventually(() => server.mails.length === 3)
    expect(server.mails[0]?.mail).not.toContain('image/jpeg')
  })

  test('a restart of the box and one of the server lose nothing', async () => {
    const server = await MailServer.start()
    const world = await World.start(site(server.port, OPEN))
    await world.tell({ title: 'one' })
    await eventually(() => server.mails.length === 1)
    await server.stop()
    await world.tell({ title: 'two' })
    await eventually(() => world.channels.problem !== null)
    await world.restart(60_000)
    await server.up()
    for (let n = 0; n < 40 && server.mails.length < 2; n++) {
      await world.after(2_000)
      await Bun.sleep(50)
    }
    await eventually(() => server.mails.length === 2)
    expect(server.mails.map(({ mail }) => header(mail, 'subject'))).toEqual(['one', 'two'])
  }, 20_000)

  test('a server that is slow gets the same mail again, known by its id', async () => {
    const server = await MailServer.start({ slow: 0.5 })
    const world = await World.start(site(server.port, OPEN))
    await world.tell({ title: 'one' })
    await eventually(() => server.slow === 1)
    world.box.clock.advance(30_000)
    for (let n = 0; n < 40 && server.slow < 2; n++) {
      await world.after(2_000)
      await Bun.sleep(50)
    }
    await eventually(() => server.mails.length >= 1)
    expect(new Set(server.mails.map(({ mail }) => header(mail, 'message-id'))).size).toBe(1)
  }, 20_000)
})

/** Tells two alerts of one camera, and a notification. */
const RING = `
contract: workflow.v1
name: Ring
when: { webhook: { label: Ring } }
limits: { cooldown: 1s }
then:
  - alert: { severity: high, title: "Jemand am Tor: ÄÖ 門", description: "Zeile eins\\nZeile zwei €", attach: [picture] }
  - alert: { severity: high, title: "It was the postman" }
  - notify: { who: role:guard, message: "All is well" }
`
