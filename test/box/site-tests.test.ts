/** Over the whole box, by HTTP: what the site names is tried, and what moves is left alone. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { folder, gatehouse, sample } from '../cli/gatehouse.ts'
import { eventually, jpeg } from '../connect/helpers.ts'

const dataDir = folder()
const heard: { path: string; method: string; body: string; file: string | null }[] = []
let status = 200
let box: Appliance
let url: string
let server: ReturnType<typeof Bun.serve>

beforeAll(async () => {
  server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async request => {
      const file = request.headers.get('x-filename')
      heard.push({
        path: new URL(request.url).pathname,
        method: request.method,
        body: await request.text(),
        file,
      })
      return Response.json({ id: 'taken' }, { status })
    },
  })
  const at = (path: string) => `"http://127.0.0.1:${server.port}/${path}"`
  const yard = join(dataDir, 'yard')
  mkdirSync(yard)
  writeFileSync(join(yard, 'a.jpg'), jpeg())
  const text = `
cameras:
  yard: { roles: [yard], source: { folder: yard } }
  dark: { roles: [dark], source: { snapshot: "http://127.0.0.1:9/" } }
  bare: { roles: [bare] }
people:
  ann: { roles: [owner], channels: [{ via: push, at: ann }] }
channels:
  push: { kind: ntfy, url: ${at('')} }
  lone: { kind: ntfy, url: ${at('')} }
destinations:
  tell: { url: ${at('tell')}, class: tell }
  read: { url: ${at('read')}, class: read }
  gate: { url: "http://192.0.2.9:${server.port}/open", class: move }
  locked: { url: "http://192.0.2.9/open", class: move, headers: { authorization: { secret: missing } } }
  here: { url: ${at('open')}, class: move }
  nowhere: { url: "http://0.0.0.0/open", class: move }
  topic: { topic: site/told, class: tell }
`
  const site = Site.load(text, join(dataDir, 'site.yaml'))
  box = new Appliance({ dataDir, resources: resources(), site, log: noLog, port: 0 })
  url = ((await box.start()).url ?? '').replace('localhost', '127.0.0.1')
})
afterAll(async () => {
  await box.stop()
  await server.stop(true)
  rmSync(dataDir, { recursive: true, force: true })
})

const post = async (path: string) => {
  heard.length = 0
  const response = await fetch(`${url}/api/v1/site/${path}/test`, { method: 'POST' })
  return {
    status: response.status,
    ...((await response.json()) as { outcome?: string; message?: string; code?: string }),
  }
}

describe('a test', () => {
  it('of a channel reaches whoever is told by it', async () => {
    expect(await post('channels/push')).toMatchObject({
      outcome: 'works',
      message: 'A test message went out to one place.',
      places: [{ at: 'ann', problem: null }],
    })
    expect(heard).toMatchObject([{ path: '/ann', method: 'PUT' }])
    status = 401
    expect(await post('channels/push')).toMatchObject({
      outcome: 'failed',
      message: 'channels.push: ntfy refuses the token, or the topic for it (401).',
    })
    status = 200
    expect(await post('channels/lone')).toMatchObject({ status: 409, code: 'channel_unknown' })
    expect(await post('channels/other')).toMatchObject({ status: 404, code: 'channel_unknown' })
  })

  it('of a destination that tells sends a message, of one that reads asks', async () => {
    expect(await post('destinations/tell')).toMatchObject({ outcome: 'works', message: 'It answered 200.' })
    expect(heard).toMatchObject([
      { path: '/tell', method: 'POST', body: expect.stringContaining('A test of Gatehouse') },
    ])
    expect(await post('destinations/read')).toMatchObject({ outcome: 'works' })
    expect(heard).toMatchObject([{ path: '/read', method: 'GET', body: '' }])
    status = 404
    expect(await post('destinations/tell')).toMatchObject({ outcome: 'failed', message: 'It answered 404.' })
    expect(await post('destinations/read')).toMatchObject({ outcome: 'works', message: 'It answered 404.' })
    status = 200
    expect(await post('destinations/topic')).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('there is no MQTT broker'),
    })
    expect(await post('destinations/other')).toMatchObject({ status: 404, code: 'destination_unknown' })
  })

  it.each([
    ['gate', 'left', 'It moves something: nothing was sent.'],
    ['locked', 'failed', 'locked needs the secret missing'],
    ['here', 'failed', 'must not be on this box itself'],
    ['nowhere', 'failed', 'no address of a server'],
  ])('of %s, which moves, sends nothing: %s', async (name, outcome, message) => {
    expect(await post(`destinations/${name}`)).toMatchObject({
      outcome,
      message: expect.stringContaining(message),
    })
    expect(heard).toEqual([])
  })

  it('of a camera asks for a picture', async () => {
    expect(await post('cameras/yard')).toMatchObject({
      outcome: 'works',
      message: expect.stringMatching(/^It gave a picture, .* old, 1 kB\.$/),
    })
    expect(await post('cameras/dark')).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('camera dark'),
    })
    // Asked again at once, though it is left alone otherwise: whoever tries it may just have mended it.
    expect((await post('cameras/dark')).message).not.toContain('asked again')
    expect(await post('cameras/bare')).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('no source'),
    })
    expect(await post('cameras/other')).toMatchObject({ status: 404, code: 'camera_unknown' })
  })

  it('is kept with what came of it, and audited', async () => {
    const { entries: audit } = (await (await fetch(`${url}/api/v1/audit`)).json()) as {
      entries: { action: string; target: string; by: string }[]
    }
    expect(audit.find(({ target }) => target === 'destination gate')).toMatchObject({
      action: 'site.test',
      by: 'this machine',
    })
    expect(box.store.siteTests.all().find(({ name }) => name === 'gate')).toMatchObject({
      kind: 'destination',
      outcome: 'left',
    })
  })

  it('is a command, too', async () => {
    const run = (...args: string[]) => gatehouse('test', ...args, '--data', dataDir)
    expect(await run('destination', 'tell')).toEqual({
      code: 0,
      out: 'tell works: It answered 200.\n',
      err: '',
    })
    expect(await run('destination', 'gate')).toMatchObject({
      code: 0,
      out: expect.stringContaining('gate was not tried: It moves'),
    })
    expect(await run('camera', 'dark')).toMatchObject({
      code: 1,
      out: expect.stringContaining('dark does not work: '),
    })
    expect(await run('camera', 'other')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no camera other'),
    })
    expect(await run('gate')).toMatchObject({ code: 2 })
    expect(JSON.parse((await run('channel', 'push', '--json')).out)).toMatchObject({
      outcome: 'works',
      kind: 'channel',
    })
  }, 30_000)

  it('is followed by the real thing: an alert of a workflow, with its picture made small', async () => {
    heard.length = 0
    const yaml = `contract: workflow.v1
name: Ring
when: { webhook: {} }
then: [ alert: { severity: medium, title: Somebody rang, attach: [picture] } ]
`
    const api = (path: string, body: string | FormData, type?: string) =>
      fetch(`${url}/api/v1/${path}`, {
        method: 'POST',
        body,
        ...(type && { headers: { 'content-type': type } }),
      })
    const made = await api('workflows', yaml, 'application/yaml')
    const { workflow } = (await made.json()) as { workflow: { id: number; hook: string } }
    await api(`workflows/${workflow.id}/state`, '{"state":"on"}', 'application/json')
    const form = new FormData()
    form.set('picture', new File([readFileSync(sample('person.jpg'))], 'a.jpg'))
    await api(workflow.hook.replace('/api/v1/', ''), form)
    await eventually(() => heard.length === 1)
    expect(heard[0]).toMatchObject({ path: '/ann', method: 'PUT', file: 'picture.jpg' })
  })
})
