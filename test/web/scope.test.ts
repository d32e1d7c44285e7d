/** Users who are bound to cameras, on a real box: what they see, save and set going. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { noLog } from '../../src/core/index.ts'
import type { RunView, WorkflowView } from '../../src/engine/index.ts'
import { Site } from '../../src/site/index.ts'
import { type Asks, claimed, said, somebody, tokenOf } from './people.ts'

const PICTURE = readFileSync(resolve(import.meta.dirname, '../../templates/cases/pictures/person.jpg'))
const SITE = `cameras:
  yard: { roles: [yard, outdoor] }
  gate: { roles: [gate, outdoor] }
people:
  guard: { roles: [guard] }
lists:
  residents: [AB12CDE]
destinations:
  opener: { url: "http://192.0.2.1/open", class: move }
`
const watch = (name: string, cameras: string, steps = '[ log: "{camera}" ]') => `contract: workflow.v1
name: ${name}
limits: { cooldown: 500ms }
when:
  event: { schema: picture.arrived.v1${cameras ? `, cameras: [${cameras}]` : ''} }
then: ${steps}
`
const opens = (name: string, state = 'test') => `contract: workflow.v1
name: ${name}
state: ${state}
limits: { cooldown: 500ms }
when:
  button: {}
then: [ webhook: { to: opener } ]
`

let dataDir: string
let box: Appliance
let at: { port: number; access: Appliance['access'] }
let ada: Asks
let yard: Asks
let looker: Asks

const post = (path: string) => `/api/v1/${path}`
const body = async <T>(response: Response | Promise<Response>) => (await (await response).json()) as T
const save = (who: Asks, yaml: string) => who('POST', post('workflows'), { yaml })
const idOf = (name: string) => box.engine.workflow(name)?.id ?? 0

/** A picture arrives: the runs that it starts, once they have ended. */
async function arrives(
  camera: string,
): Promise<{ workflow: string; run: number | null; code: string | null }[]> {
  const admissions = await box.engine.submit({
    kind: 'event',
    id: crypto.randomUUID(),
    at: Date.now(),
    cameraId: camera,
    schema: 'picture.arrived.v1',
    source: 'test',
    severity: null,
    payload: { file: 'x.jpg' },
    correlationId: null,
    chain: [],
    by: null,
    workflowId: null,
    pictures: [{ bytes: PICTURE, takenAt: Date.now(), source: 'test' }],
  })
  for (const { run } of admissions) if (run !== null) await box.engine.settled(run, 30_000)
  return admissions.map(({ workflow, run, reason }) => ({ workflow, run, code: reason?.code ?? null }))
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-scope-'))
  box = new Appliance({
    dataDir,
    resources: resources(),
    site: Site.load(SITE, 'site.yaml'),
    log: noLog,
    port: 0,
  })
  const { url } = await box.start()
  at = { port: Number(new URL(url ?? '').port), access: box.access }
  ada = await claimed(at)
  yard = await somebody(at, 'Yara', 'operator', ['yard'])
  looker = await somebody(at, 'Vera', 'viewer', ['role:yard'])
})
afterAll(async () => {
  await box.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

describe('what is saved', () => {
  it('names no other cameras than whoever saves it may see, in whatever way it names them', async () => {
    const refused = {
      'another camera': watch('A', 'gate'),
      'a role with another camera': watch('B', 'outdoor'),
      'every camera': watch('C', ''),
      'a look at another': watch(
        'D',
        'yard',
        '[ ai: { mode: look, prompt: x, input: picture, look_at: gate, decision: [a], fields: { n: { measure: count, of: person } }, rules: [{ then: a }], a: [], unsure: [] } ]',
      ),
      'a loop over events': watch(
        'E',
        'yard',
        '[ for_each: { events: { schema: picture.arrived.v1, within: 1h }, do: [ log: "{item}" ] } ]',
      ),
      'a loop over others': watch('F', 'yard', '[ for_each: { cameras: [gate], do: [ log: "{item}" ] } ]'),
      'a text on another': watch(
        'G',
        'yard',
        '[ { if: [ text_visible: { camera: gate, contains_any: [x] } ], then: [ log: "x" ] } ]',
      ),
      'an alert of another': watch('H', 'yard', '[ alert: { severity: low, title: x, camera: gate } ]'),
    }
    for (const [how, yaml] of Object.entries(refused))
      expect([how, ...(await said(save(yard, yaml)))]).toEqual([how, 403, 'out_of_scope'])
    expect(box.engine.workflows()).toEqual([])
    for (const path of ['workflows/try'])
      expect(await said(yard('POST', post(path), { yaml: refused['another camera'] }))).toEqual([
        403,
        'out_of_scope',
      ])
    expect(await said(save(yard, watch('Yard', 'yard')))).toEqual([201])
    expect(await said(save(ada, watch('Gate', 'gate')))).toEqual([201])
    expect(await said(save(ada, watch('Both', 'gate, yard')))).toEqual([201])
    expect(await said(save(looker, watch('Mine', 'yard')))).toEqual([403, 'forbidden'])
  })

  it('is checked for them, and names nothing of the site that they did not name', async () => {
    const steps = (list: string, who: string, role: string) =>
      `[ { if: [ in_list: { value: "{plate}", list: ${list} } ], then: [ notify: { who: "${who}", message: x } ] }, { if: [ text_visible: { camera: ${role}, contains_any: [x] } ], then: [ webhook: { to: openr } ] } ]`
    const asked = async (who: Asks, yaml: string) =>
      ['workflows/validate', 'workflows/import', 'workflows'].map(async path =>
        (await who('POST', post(path), { yaml })).text(),
      )
    const yaml = watch('Guess', 'yard', steps('residens', 'role:guar', 'gat'))
    for (const text of await Promise.all(await asked(yard, yaml))) {
      expect(text).toContain('residens')
      // What a move rests on is called its guard.
      expect(text.replaceAll('"guard":', '')).not.toMatch(/residents|guard\b|gate\b|opener/)
    }
    for (const text of await Promise.all(await asked(ada, yaml)))
      expect([/residents/, /guard\b/, /gate\b/, /opener/].every(name => name.test(text))).toBe(true)
    // What they name themselves is known, and of their own cameras they are told the roles.
    const near = (role: string) => watch('Near', role, '[ notify: { who: "role:guard", message: x } ]')
    expect(await (await yard('POST', post('workflows/validate'), { yaml: near('yar') })).text()).toMatch(
      /Did you mean yard\?/,
    )
    expect(await (await yard('POST', post('workflows/validate'), { yaml: near('yard') })).json()).toEqual({
      problems: [],
    })
    const both = await yard('POST', post('workflows/import'), { yaml: near('outdoor') })
    expect(await both.json()).toMatchObject({ outline: { cameras: { outdoor: ['yard'] } } })
  })

  it('is written with the names of the cameras that they may see, and with no other of the site', async () => {
    const names = async (who: Asks) => {
      const { cameras, lists, roles, destinations, modes } = await body<Record<string, string[]>>(
        who('GET', post('workflows/names')),
      )
      return { cameras, lists, roles, destinations, modes: modes?.length }
    }
    expect(await names(ada)).toEqual({
      ...{ cameras: ['yard', 'outdoor', 'gate'], lists: ['residents'], roles: ['guard'] },
      ...{ destinations: ['opener'], modes: 3 },
    })
    expect(await names(yard)).toEqual({
      ...{ cameras: ['yard', 'outdoor'], lists: [], roles: [], destinations: [], modes: 3 },
    })
    expect((await looker('GET', post('workflows/names'))).status).toBe(403)
  })

  it('is theirs to change where it stays within their cameras', async () => {
    const path = (name: string, rest = '') => post(`workflows/${idOf(name)}${rest}`)
    const yaml = watch('Yard', 'yard', '[ log: "again" ]')
    expect(await said(yard('PUT', path('yard'), { yaml }))).toEqual([200])
    expect(await said(yard('PUT', path('yard'), { yaml: watch('Yard', 'gate') }))).toEqual([
      403,
      'out_of_scope',
    ])
    for (const [method, rest, given] of [
      ['PUT', '', { yaml }],
      ['DELETE', '', undefined],
      ['POST', '/state', { state: 'off' }],
      ['POST', '/snooze', { for: '1h' }],
      ['POST', '/rollback', { version: 1 }],
      ['POST', '/try', undefined],
      ['POST', '/cases/try', undefined],
      ['GET', '/cases/export', undefined],
    ] as const) {
      expect([rest, ...(await said(yard(method, path('both', rest), given)))]).toEqual([
        rest,
        403,
        'out_of_scope',
      ])
      expect([rest, ...(await said(yard(method, path('gate', rest), given)))]).toEqual([
        rest,
        404,
        'not_found',
      ])
    }
    expect(await said(yard('POST', post('cameras/gate/snooze'), { for: '1h' }))).toEqual([404, 'not_found'])
    expect(await said(yard('GET', post('cameras/gate/picture')))).toEqual([404, 'not_found'])
    expect(await said(yard('PUT', post('system/pause'), { paused: true }))).toEqual([200])
    expect(await said(yard('PUT', post('system/pause'), { paused: false }))).toEqual([403, 'out_of_scope'])
    expect(await said(ada('PUT', post('system/pause'), { paused: false }))).toEqual([200])
  })
})

describe('what is seen', () => {
  it('are the runs, pictures and workflows of their cameras, in lists, one by one and live', async () => {
    const stream = (await yard('GET', post('stream'))).body?.getReader()
    const decoder = new TextDecoder()
    let told = decoder.decode((await stream?.read())?.value, { stream: true })
    const gate = await arrives('gate')
    const mine = await arrives('yard')
    expect([gate, mine].map(all => all.map(({ workflow }) => workflow).sort())).toEqual([
      ['both', 'gate'],
      ['both', 'yard'],
    ])
    const runs = async (who: Asks, path = 'runs') =>
      (await body<{ runs: { id: number }[] }>(who('GET', post(path)))).runs.map(({ id }) => id).sort()
    const seen = mine.map(({ run }) => run).sort()
    expect(await runs(yard)).toEqual(seen)
    expect(await runs(looker)).toEqual(seen)
    expect((await runs(ada)).length).toBe(4)
    expect(await runs(yard, 'runs?limit=1')).toHaveLength(1)
    const both = idOf('both')
    expect(await runs(yard, `workflows/${both}/runs`)).toHaveLength(1)
    expect(await said(yard('GET', post(`workflows/${idOf('gate')}/runs`)))).toEqual([404, 'not_found'])

    const { workflows } = await body<{ workflows: WorkflowView[] }>(yard('GET', post('workflows')))
    expect(workflows.map(({ slug }) => slug)).toEqual(['yard', 'both'])
    for (const { last_run } of workflows) expect(seen).toContain(last_run?.id)
    for (const path of ['', '/versions', '/versions/1'])
      expect(await said(yard('GET', post(`workflows/${idOf('gate')}${path}`)))).toEqual([404, 'not_found'])

    for (const { run } of gate) {
      const view = await body<RunView>(ada('GET', post(`runs/${run}`)))
      const media = view.pictures[0]?.media
      expect((await ada('GET', post(`media/${media}`))).status).toBe(200)
      expect(await said(yard('GET', post(`media/${media}`)))).toEqual([404, 'not_found'])
      expect(await said(yard('GET', post(`runs/${run}`)))).toEqual([404, 'not_found'])
      for (const [what, given] of [
        [`runs/${run}/stop`, {}],
        [`runs/${run}/settle`, { happened: true }],
        [`runs/${run}/release`, { do: true }],
        [`workflows/runs/${run}/mark`, { right: true }],
      ] as const)
        expect([what, ...(await said(yard('POST', post(what), given)))]).toEqual([what, 404, 'not_found'])
    }
    for (const { run } of mine) {
      const view = await body<RunView>(looker('GET', post(`runs/${run}`)))
      expect((await looker('GET', post(`media/${view.pictures[0]?.media}`))).status).toBe(200)
    }
    const health = await body<{ cameras: { id: string }[] }>(yard('GET', post('system/health')))
    expect(health.cameras.map(({ id }) => id)).toEqual(['yard'])
    expect(Object.keys(health)).not.toContain('site_problem')

    while (!seen.every(run => told.includes(`"id":${run},"workflow"`)))
      told += decoder.decode((await stream?.read())?.value, { stream: true })
    expect(told).not.toContain('"camera":"gate"')
    for (const { run } of gate) expect(told).not.toContain(`"id":${run},"workflow"`)
    await stream?.cancel()
  })

  it('is not the secret of a webhook, for whoever only looks', async () => {
    const yaml = 'contract: workflow.v1\nname: Hooked\nwhen:\n  webhook: {}\nthen: [ log: "x" ]\n'
    await save(ada, yaml)
    const hook = async (who: Asks) => (await body<WorkflowView>(who('GET', post('workflows/hooked')))).hook
    expect(await hook(ada)).toMatch(/^\/api\/v1\/hooks\//)
    expect(await hook(yard)).toMatch(/^\/api\/v1\/hooks\//)
    expect(await hook(looker)).toBeNull()
    expect(await (await looker('GET', post('workflows'))).text()).not.toContain('/hooks/')
  })
})

describe('what runs', () => {
  it('is started by no other camera than whoever saved the file may see, whatever is delivered', async () => {
    const yaml =
      'contract: workflow.v1\nname: Asked\nlimits: { cooldown: 500ms }\nwhen:\n  webhook: {}\nthen: [ log: "x" ]\n'
    await save(yard, yaml)
    const ring = async (camera: string) => {
      const hook = box.engine.workflow('asked')?.hook
      const response = await fetch(`http://127.0.0.1:${at.port}${hook}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ camera }),
      })
      return body<{ run: number | null; reason: { code: string } | null }>(response)
    }
    expect(await ring('gate')).toMatchObject({ run: null, reason: { code: 'out_of_scope' } })
    expect(await ring('yard')).toMatchObject({ reason: null })
    // By an admin who vouches for it, it may.
    expect(await said(ada('PUT', post('workflows/asked'), { yaml }))).toEqual([200])
    expect(await ring('gate')).toMatchObject({ reason: null })
  })

  it('is pressed for their own cameras only', async () => {
    await save(yard, 'contract: workflow.v1\nname: Pressed\nwhen:\n  button: {}\nthen: [ log: "x" ]\n')
    const press = (event: object) => yard('POST', post('workflows/pressed/press'), { event })
    expect(await said(press({ camera: 'gate' }))).toEqual([403, 'out_of_scope'])
    expect(await said(press({ camera: 'yard' }))).toEqual([202])
    expect(await said(looker('POST', post('workflows/pressed/press')))).toEqual([403, 'forbidden'])
  })

  it('stops where the camera, or the person, is another one by now', async () => {
    const looks = `[ for_each: { cameras: [outdoor], do: [ ai: { mode: look, prompt: x, input: picture, look_at: "{item}", max_age: 1h, decision: [a], fields: { n: { measure: count, of: person } }, rules: [{ then: a }], a: [], unsure: [] } ] } ]`
    const grace = await somebody(at, 'Grace', 'operator')
    expect(await said(save(grace, watch('Tour', 'yard', looks)))).toEqual([201])
    const tour = async () => (await arrives('yard')).find(({ workflow }) => workflow === 'tour')
    expect((await tour())?.run).toEqual(expect.any(Number))
    const { id } = box.access.users.known('Grace')
    await box.access.users.change(id, { cameras: ['yard'] }, 'Ada')
    await Bun.sleep(600) // The workflow's cooldown.
    expect(await tour()).toMatchObject({ run: null, code: 'out_of_scope' })
    // She does not see what she saved, and who removes her gives it no more cameras.
    expect(await said(grace('GET', post('workflows/tour')))).toEqual([404, 'not_found'])
    await box.access.users.remove(id, 'Ada')
    expect(await tour()).toMatchObject({ run: null, code: 'out_of_scope' })
    expect(await said(ada('PUT', post('workflows/tour'), { yaml: watch('Tour', 'yard', looks) }))).toEqual([
      200,
    ])
    expect((await tour())?.run).toEqual(expect.any(Number))
  })

  it('looks at no camera that its saver may not see any more, however long it waited', async () => {
    const yaml = `contract: workflow.v1
name: Later
when:
  button: {}
then:
  - wait: 1s
  - ai: { mode: look, prompt: x, input: picture, look_at: gate, decision: [a], fields: { n: { measure: count, of: person } }, rules: [{ then: a }], a: [], unsure: [] }
`
    const lena = await somebody(at, 'Lena', 'operator', ['gate', 'yard'])
    expect(await said(save(lena, yaml))).toEqual([201])
    const { run } = await body<{ run: number }>(lena('POST', post('workflows/later/press')))
    await box.access.users.change(box.access.users.known('Lena').id, { cameras: ['yard'] }, 'Ada')
    const view = await box.engine.settled(run, 30_000)
    expect(view.steps[1]).toMatchObject({ kind: 'ai', outcome: 'unsure', unsure_reason: 'no_picture' })
    expect(view.steps[1]?.reason).toContain('may not see that camera')
  })

  it('has no answer, mark or word of somebody who may not see it', async () => {
    const asks = `contract: workflow.v1
name: Question
limits: { cooldown: 500ms }
state: on
when:
  event: { schema: picture.arrived.v1, cameras: [gate] }
then:
  - ask_person: { who: role:guard, message: "Open?", replies: ["Yes", "No"], timeout: 10m, default: "No" }
    "Yes": []
`
    await save(ada, asks)
    await box.engine.submit({
      ...{ kind: 'event', id: 'q1', at: Date.now(), cameraId: 'gate', schema: 'picture.arrived.v1' },
      ...{ source: 'test', severity: null, payload: {}, correlationId: null, chain: [], by: null },
      ...{ workflowId: null, pictures: [] },
    })
    await expect.poll(() => box.engine.approvals({ open: true }).length).toBe(1)
    const [question] = box.engine.approvals({ open: true })
    const list = async (who: Asks) =>
      (await body<{ approvals: unknown[] }>(who('GET', post('approvals')))).approvals.length
    expect([await list(ada), await list(yard)]).toEqual([1, 0])
    const answer = (who: Asks) => said(who('POST', post(`approvals/${question?.id}`), { reply: 'Yes' }))
    expect(await answer(yard)).toEqual([404, 'not_found'])
    expect(await answer(looker)).toEqual([403, 'forbidden'])
    expect(await answer(await tokenOf(at, 'Yara', 'approve'))).toEqual([404, 'not_found'])
    expect(await answer(await tokenOf(at, 'Ada', 'approve'))).toEqual([200])
  })
})

describe('what moves something', () => {
  const state = (who: Asks, name: string, to: string) =>
    said(who('POST', post(`workflows/${name}/state`), { state: to }))
  const stands = (name: string) => box.engine.workflow(name)?.state

  it('is turned On by an admin, and changed by nobody else while it is', async () => {
    const grace = await somebody(at, 'Gina', 'operator')
    expect(await said(save(grace, opens('Opener', 'on')))).toEqual([201])
    expect(stands('opener')).toBe('test')
    expect(await state(grace, 'opener', 'on')).toEqual([403, 'admin_needed'])
    expect(await state(await tokenOf(at, 'Gina', 'workflows.manage'), 'opener', 'on')).toEqual([
      403,
      'admin_needed',
    ])
    expect(await state(await tokenOf(at, 'Ada', 'workflows.manage'), 'opener', 'on')).toEqual([200])
    const yaml = opens('Opener').replace('500ms', '1s')
    expect(await said(grace('PUT', post('workflows/opener'), { yaml }))).toEqual([403, 'admin_needed'])
    expect(await said(ada('PUT', post('workflows/opener'), { yaml }))).toEqual([200])
    expect(await said(grace('POST', post('workflows/opener/rollback'), { version: 1 }))).toEqual([
      403,
      'admin_needed',
    ])
    expect(stands('opener')).toBe('on')
    expect(await state(grace, 'opener', 'test')).toEqual([200])
    expect(await said(grace('PUT', post('workflows/opener'), { yaml: opens('Opener') }))).toEqual([200])
    expect(await state(grace, 'opener', 'on')).toEqual([403, 'admin_needed'])
  })

  it('and what reads plates or faces: by a field, by its trigger, by a tool', async () => {
    const gina = browserOf('Gina')
    const plates = `contract: workflow.v1
name: Plates
when:
  event: { schema: plate.recognized.v1, cameras: [gate] }
then: [ log: "{plate}" ]
`
    const field = watch(
      'Reader',
      'gate',
      '[ ai: { mode: look, prompt: x, input: picture, decision: [a], fields: { p: { measure: plate } }, rules: [{ then: a }], a: [], unsure: [] } ]',
    )
    const tool = watch(
      'Faces',
      'gate',
      '[ ai: { mode: investigate, goal: x, tools: [recognize_faces], decision: [a, b], a: [], b: [], unsure: [] } ]',
    )
    for (const [name, yaml] of [
      ['plates', plates],
      ['reader', field],
      ['faces', tool],
    ] as const) {
      expect([name, ...(await said(save(await gina, yaml)))]).toEqual([name, 201])
      expect([name, ...(await state(await gina, name, 'on'))]).toEqual([name, 403, 'admin_needed'])
      expect([name, ...(await state(ada, name, 'on'))]).toEqual([name, 200])
    }
    expect(await said(save(await gina, watch('Harmless', 'gate')))).toEqual([201])
    expect(await state(await gina, 'harmless', 'on')).toEqual([200])
  })

  async function browserOf(name: string) {
    const { browser, PASSWORD } = await import('./people.ts')
    const asks = browser(at)
    await asks('POST', '/api/v1/session/login', { name, password: PASSWORD })
    return asks
  }
})
