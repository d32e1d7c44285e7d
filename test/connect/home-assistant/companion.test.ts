/** Questions on telephones: what the companion app is told, and what an answer with somebody's own token is worth. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { Appliance } from '../../../src/app.ts'
import { resources } from '../../../src/box/resources.ts'
import { noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { claimed, program, somebody } from '../../web/people.ts'
import { eventually, serve, temporaryFolder } from '../helpers.ts'
import { hurried } from '../mqtt/mosquitto.ts'

const GATE = `
contract: workflow.v1
name: Gate
state: test
needs: { roles: [guard] }
when: { button: {} }
then:
  - ask_person:
      who: role:guard
      message: Somebody is at the gate.
      timeout: 10m
      default: Ignore
      replies: ["Let in", Ignore]
    Let in: [ home_assistant: { service: lock.unlock, target: lock.gate } ]
    Ignore: [ log: ignored ]
    no_answer: [ log: nobody ]
`

interface Told {
  title?: string
  message: string
  data: { tag: string; actions?: { action: string; title: string; authenticationRequired?: boolean }[] }
}

/** Home Assistant; `down`: it fails. */
async function boxAt() {
  const house = { told: [] as { service: string; body: Told }[], unlocked: 0, refused: 0, down: false }
  const port = serve(async request => {
    const { pathname: path } = new URL(request.url)
    if (house.down && path.includes('/notify/')) house.refused++
    if (house.down) return new Response('no', { status: 503 })
    if (path === '/api/services/lock/unlock') house.unlocked++
    const service = /^\/api\/services\/notify\/(.*)$/.exec(path)?.[1]
    if (service) house.told.push({ service, body: (await request.json()) as Told })
    if (path.startsWith('/api/states')) return Response.json({ entity_id: 'lock.gate', state: 'unlocked' })
    return Response.json([])
  })
  const dataDir = temporaryFolder()
  mkdirSync(join(dataDir, 'secrets'))
  writeFileSync(join(dataDir, 'secrets/home'), 'token')
  const box = new Appliance({
    ...{ dataDir, clock: hurried, resources: resources(), log: noLog, port: 0 },
    site: Site.load(
      `
people: { ann: { roles: [guard] } }
home_assistant:
  url: http://127.0.0.1:${port}
  token: { secret: home }
  page: http://gatehouse.lan:8088/
  ask: { "role:guard": [notify.mobile_app_ann, notify.mobile_app_bob], "role:owner": [notify.mobile_app_eve] }
`,
      join(dataDir, 'site.yaml'),
    ),
  })
  onTestFinished(() => box.stop())
  const { url } = await box.start()
  const saved = await box.engine.save(GATE)
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  await box.engine.setState(saved.workflow.id, 'on')
  const where = { port: Number(new URL(url ?? '').port), access: box.access }
  const ada = await claimed(where)
  const ask = async () => {
    const answer = await ada('POST', `/api/v1/workflows/${saved.workflow.id}/press`)
    expect(answer.status).toBe(202)
    await eventually(() => box.engine.approvals({ open: true }).length === 1)
    return box.engine.approvals({ open: true })[0]?.id ?? 0
  }
  return { box, house, ask, where }
}

describe('questions on telephones', () => {
  test('whoever is asked gets each reply as a button; an answer with their own token counts, once', async () => {
    const { box, house, ask, where } = await boxAt()
    const id = await ask()
    await eventually(() => house.told.length === 2)
    expect(house.told.map(({ service }) => service).sort()).toEqual(['mobile_app_ann', 'mobile_app_bob'])
    const [{ body } = {}] = house.told
    const prefix = `GATEHOUSE:${box.store.meta.boxId}:${id}:`
    expect(body).toMatchObject({
      title: 'Gate',
      message: 'Somebody is at the gate.\n• Let in: moves home assistant lock.unlock (lock.gate)',
      data: {
        tag: `gatehouse-${box.store.meta.boxId}-question-${id}`,
        url: 'http://gatehouse.lan:8088/',
        actions: [
          { action: `${prefix}Let in`, title: 'Let in', authenticationRequired: true },
          { action: `${prefix}Ignore`, title: 'Ignore' },
        ],
      },
    })
    expect(body?.data.actions?.[1]).not.toHaveProperty('authenticationRequired')

    // As the blueprint does it: the action's last part is the reply.
    const bob = await somebody(where, 'Bob', 'operator')
    const made = await bob('POST', '/api/v1/tokens', { name: 'telephone', scopes: ['approve'] })
    const { token } = (await made.json()) as { token: string }
    const telephone = program(where, token)
    const [, , question, reply] = body?.data.actions?.[0]?.action.split(':') ?? []
    const answers = await Promise.all(
      [1, 2, 3].map(() => telephone('POST', `/api/v1/approvals/${question}`, { reply })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    await eventually(() => house.unlocked === 1)
    expect(box.engine.approvals()).toMatchObject([
      { answer: 'Let in', answered_by: 'Bob', identified_by: 'token' },
    ])
    await eventually(() => house.told.length === 4)
    expect(house.told.slice(2).map(({ body: { message, data } }) => [message, data])).toEqual(
      Array(2).fill(['clear_notification', { tag: body?.data.tag }]),
    )
    expect(house.unlocked).toBe(1)
  })

  test('a token that may not approve, or none, answers nothing; a GET decides nothing', async () => {
    const { box, ask, where } = await boxAt()
    const id = await ask()
    const bob = await somebody(where, 'Bob', 'operator')
    const made = await bob('POST', '/api/v1/tokens', { name: 'telephone', scopes: ['read'] })
    const { token } = (await made.json()) as { token: string }
    const path = `/api/v1/approvals/${id}`
    expect((await program(where, token)('POST', path, { reply: 'Let in' })).status).toBe(403)
    expect((await program(where, 'ght_wrong')('POST', path, { reply: 'Let in' })).status).toBe(401)
    expect((await program(where, token)('GET', `${path}?reply=Ignore`)).status).toBe(405)
    expect(box.engine.approvals({ open: true })).toHaveLength(1)
  })

  test('Home Assistant being away, it is told as soon as it is back', async () => {
    const { house, ask } = await boxAt()
    house.down = true
    const id = await ask()
    await eventually(() => house.refused >= 2)
    expect(house.told).toEqual([])
    house.down = false
    await eventually(() => house.told.length === 2)
    expect(house.told[0]?.body.data.tag).toContain(`-question-${id}`)
  })

  test('what is answered elsewhere meanwhile is not asked on telephones any more', async () => {
    const { house, ask, box } = await boxAt()
    house.down = true
    const id = await ask()
    await eventually(() => house.refused >= 2)
    await box.engine.answer(id, 'Ignore', { by: 'loopback', name: 'Ann' })
    house.down = false
    await eventually(() => house.told.length >= 2)
    expect(house.told.map(({ body }) => body.message)).toEqual(['clear_notification', 'clear_notification'])
  })
})

describe('blueprints', () => {
  const dir = join(resources().templates, 'home-assistant')
  test.each(readdirSync(dir))('%s: each input is there and used, and what is called is named', file => {
    const used = new Set<string>()
    const input = {
      tag: '!input',
      resolve: (name: string) => {
        used.add(name)
        return name
      },
    }
    const text = readFileSync(join(dir, file), 'utf8')
    const { blueprint, triggers, actions } = parse(text, { customTags: [input] })
    expect(blueprint).toMatchObject({ domain: 'automation', name: expect.any(String) })
    expect([...used].sort()).toEqual(Object.keys(blueprint.input).sort())
    expect(triggers.length).toBe(1)
    expect(actions.some((action: { action?: string }) => action.action === '{{ command }}')).toBe(true)
  })
})
