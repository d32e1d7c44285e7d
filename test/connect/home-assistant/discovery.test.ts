/** The whole box, a real broker, and a client that does what Home Assistant does. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Appliance } from '../../../src/app.ts'
import { resources } from '../../../src/box/resources.ts'
import { noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { eventually, jpeg, temporaryFolder } from '../helpers.ts'
import { hurried, Mosquitto, noBroker } from '../mqtt/mosquitto.ts'
import { House } from './house.ts'
import { readDevice } from './schemas.ts'

const DOOR = `
contract: workflow.v1
name: Door bell
state: test
when: { button: { label: Ring } }
then:
  - ai:
      mode: look
      prompt: Is somebody at the door?
      input: picture
      fields:
        persons: { measure: count, of: person }
      decision: [somebody, nobody]
      rules: [ { when: { persons: { at_least: 1 } }, then: somebody }, { then: nobody } ]
      somebody: []
      nobody: []
      unsure: []
`
const ASK = `
contract: workflow.v1
name: Gate
needs: { roles: [guard], destinations: { barrier: move } }
when: { button: { label: Let in } }
then:
  - ask_person:
      who: role:guard
      message: Somebody is at the gate.
      timeout: 10m
      default: Ignore
      replies: [Let in, Ignore]
    Let in: [ mqtt: { to: barrier, json: OPEN } ]
    Ignore: [ log: ignored ]
    no_answer: [ log: nobody ]
`
const BEEP = `
contract: workflow.v1
name: Beep
when: { button: {} }
then: [ log: beep ]
`

async function boxAt(broker: Mosquitto, mqtt = '', dataDir = temporaryFolder()) {
  const file = join(dataDir, 'site.yaml')
  const text = (more: string) => `
cameras: { door: {} }
people: { ann: { roles: [guard] } }
modes: [home, away]
destinations: { barrier: { topic: gate/barrier, class: move } }
${more === 'none' ? '' : `mqtt: { url: "${broker.url()}"${more} }`}
`
  writeFileSync(file, text(mqtt))
  const box = new Appliance({
    ...{ dataDir, clock: hurried, resources: resources(), log: noLog, port: 0 },
    site: Site.load(text(mqtt), file),
    siteFile: { file, text: text(mqtt) },
  })
  let stopped = false
  const stop = async () => {
    if (!stopped) await box.stop()
    stopped = true
  }
  onTestFinished(stop)
  const { url } = await box.start()
  const save = async (yaml: string, state: 'off' | 'test' | 'on' = 'on', id?: number) => {
    const saved = await box.engine.save(yaml, id === undefined ? {} : { id })
    if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
    await box.engine.setState(saved.workflow.id, state)
    return saved.workflow.id
  }
  const setSite = (more: string) => writeFileSync(file, text(more))
  return { box, url, save, stop, setSite, dataDir }
}

/** The last that the box said of itself. */
async function eventuallyDevice(house: House, topic: string) {
  const last = () => house.heard.findLast(heard => heard.topic === topic)?.text ?? ''
  await eventually(() => last().includes('"connected"'))
  return readDevice(last())
}

describe.skipIf(noBroker)('Home Assistant', () => {
  test('finds the box with all that it has, each message as its rules want it', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const { save } = await boxAt(broker)
    const [door, gate] = [await save(DOOR, 'test'), await save(ASK)]
    const button = await house.entity(`workflow_${door}_press`, ({ available }) => available)
    expect(button).toMatchObject({ p: 'button', name: 'Door bell: Ring', available: true })
    await house.entity(`workflow_${gate}_press`)
    const state = await house.entity(`workflow_${door}_state`, it => it.state === 'Test')
    expect(state).toMatchObject({ p: 'select', options: ['Off', 'Test', 'On'] })
    const decision = await house.entity(`workflow_${door}_decision`, it => it.state !== undefined)
    expect(decision).toMatchObject({ p: 'sensor', state: 'None' })
    expect(await house.entity(`workflow_${door}_runs`)).toMatchObject({ p: 'event' })
    const shown = [...house.entities().values()].map(({ key, p, state }) => [key, p, state])
    expect(shown).toEqual(
      expect.arrayContaining([
        ['connected', 'binary_sensor', 'online'],
        ['site_mode', 'sensor', 'home'],
        ['pause_moves', 'switch', 'OFF'],
        ['open_questions', 'sensor', '0'],
        ['last_picture', 'image', undefined],
      ]),
    )
    expect(house.entities().get('version')?.state).toContain('"installed_version":"0.1.0"')
    expect(house.devices).toMatchObject([{ dev: { name: 'Gatehouse' }, o: { name: 'Gatehouse' } }])
    expect(house.problems()).toEqual([])
  })

  test('the version is shown; an update is started from there only where the site lets it be', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const { setSite } = await boxAt(broker)
    const closed = await house.entity('version', ({ state }) => state !== undefined)
    expect(JSON.parse(closed.state ?? '')).toMatchObject({
      installed_version: '0.1.0',
      latest_version: '0.1.0',
      in_progress: false,
    })
    expect(closed).not.toHaveProperty('command_topic')
    setSite(', may: [update]')
    await house.entity('version', it => 'command_topic' in it)
    await house.command('version', 'INSTALL')
    await house.entity('last_command', ({ state }) => /not installed by install.sh/.test(state ?? ''))
    await house.command('version', 'REBOOT')
    await house.entity('last_command', ({ state }) => state === 'An update takes INSTALL.')
    expect(house.problems()).toEqual([])
  })

  test('a press starts a run; what it decided, on which picture, is told with its fields', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const { save, url, box } = await boxAt(broker)
    const beep = await save(BEEP)
    await house.command(`workflow_${beep}_press`, 'PRESS')
    await eventually(() => house.problems().length > 0 || house.events.length === 2)
    expect(house.events).toMatchObject([{ event_type: 'started' }, { event_type: 'done', run: 1 }])
    expect(box.engine.run(1)).toMatchObject({ trigger: { kind: 'button' }, status: 'done' })
    expect(box.engine.run(1)?.values.pressed_by).toBeUndefined()
    await house.entity('last_command', ({ state }) => state === 'Beep: run 1 began')

    const door = await save(DOOR)
    const form = new FormData()
    form.append('picture', new Blob([jpeg()], { type: 'image/jpeg' }), 'a.jpg')
    await fetch(`${url}/api/v1/workflows/${door}/press`, { method: 'POST', body: form })
    const decision = await house.entity(`workflow_${door}_decision`, it => it.state !== 'None' && !!it.state)
    expect(decision.state).toBe('nobody')
    expect(decision.attributes).toMatchObject({ run: 2, persons: 0 })
    const picture = await house.entity('last_picture', ({ attributes }) => attributes?.run === 2)
    await eventually(() => house.pictures.has(picture.unique_id))
    expect([...(house.pictures.get(picture.unique_id)?.subarray(0, 3) ?? [])]).toEqual([0xff, 0xd8, 0xff])
    expect(house.problems()).toEqual([])
  })

  test('a run in Test is told as tried, and decides nothing in the house', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const { save, box } = await boxAt(broker)
    const beep = await save(BEEP, 'test')
    await house.command(`workflow_${beep}_press`, 'PRESS')
    await eventually(() => house.events.length === 1)
    expect(house.events).toMatchObject([{ event_type: 'tried' }])
    expect(box.engine.run(1)?.state).toBe('test')
  })

  test('workflows are switched, moves paused, and nobody unknown lets them go', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const { save, box } = await boxAt(broker)
    const beep = await save(BEEP, 'off')
    await house.command(`workflow_${beep}_state`, 'On')
    await house.entity(`workflow_${beep}_state`, ({ state }) => state === 'On')
    expect(box.engine.audit({ limit: 1 })).toMatchObject([
      { action: 'workflow.on', by: 'Home Assistant (MQTT)' },
    ])
    await house.command('pause_moves', 'ON')
    await house.entity('pause_moves', ({ state, attributes }) => state === 'ON' && !!attributes?.by)
    await house.command('pause_moves', 'OFF')
    await house.entity('last_command', ({ state }) => state?.includes('let go on the page') ?? false)
    expect(box.engine.holds.view().paused).toBe(true)
  })

  test('what the site allows there is offered, and nothing else is', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const { save, box, setSite } = await boxAt(broker, ', may: []')
    const beep = await save(BEEP)
    await house.entity(`workflow_${beep}_state_shown`, ({ state }) => state === 'On')
    const commands = () => [...house.entities().values()].filter(it => it.command_topic).map(it => it.key)
    expect(commands()).toEqual([])
    expect(house.entities().get('moves_paused')).toMatchObject({ p: 'binary_sensor', state: 'OFF' })
    setSite(', may: [site_mode, pause, unpause]')
    await house.entity('site_mode_choice')
    expect(commands().sort()).toEqual(['pause_moves', 'site_mode_choice'])
    await house.command('site_mode_choice', 'away')
    await house.entity('site_mode_choice', ({ state }) => state === 'away')
    expect(box.engine.audit({ limit: 1 })).toMatchObject([{ action: 'site.mode', target: 'site' }])
    await house.command('site_mode_choice', 'holiday')
    await house.entity('last_command', ({ state }) => state?.includes('home, away') ?? false)
    await house.command('pause_moves', 'ON')
    await house.entity('pause_moves', ({ state }) => state === 'ON')
    await house.command('pause_moves', 'OFF')
    await house.entity('pause_moves', ({ state }) => state === 'OFF')
    expect(house.problems()).toEqual([])
  })

  test('a question has a button for each reply, which answers once and never approves a move', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const { heard } = await broker.listener('gate/#')
    const { save, box, url } = await boxAt(broker)
    const gate = await save(ASK)
    const ask = () => fetch(`${url}/api/v1/workflows/${gate}/press`, { method: 'POST' })
    await ask()
    const count = await house.entity('open_questions', ({ state }) => state === '1')
    expect(count.attributes).toMatchObject({ questions: [{ message: 'Somebody is at the gate.' }] })
    const move = await house.entity('question_1_reply_0')
    expect(move.name).toBe('Gate: Let in (moves something: answer on the page)')
    await house.command('question_1_reply_0', 'PRESS')
    await house.entity(
      'last_command',
      ({ state }) => state?.includes('answer where you are signed in') ?? false,
    )
    expect(box.engine.approvals({ open: true })).toHaveLength(1)
    const { command_topic: ignore = '' } = await house.entity('question_1_reply_1')
    await house.client.publishAsync(ignore, 'PRESS')
    await house.client.publishAsync(ignore, 'PRESS')
    await house.entity('open_questions', ({ state }) => state === '0')
    expect(box.engine.approvals()).toMatchObject([{ answer: 'Ignore', identified_by: 'mqtt' }])
    await eventually(() => !house.entities().has('question_1_reply_0'))
    expect(heard).toEqual([])
    expect(house.problems()).toEqual([])
  })

  test('a workflow that is taken away leaves nothing behind; a new name changes the name alone', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const { save, box } = await boxAt(broker)
    const beep = await save(BEEP)
    const before = await house.entity(`workflow_${beep}_press`, it => it.available)
    await save(BEEP.replace('name: Beep', 'name: Hoot'), 'on', beep)
    const after = await house.entity(`workflow_${beep}_press`, it => it.name === 'Hoot')
    expect({ ...after, name: 'Beep' }).toEqual(before)
    await box.engine.remove(beep)
    await eventually(() => ![...house.entities().keys()].some(key => key.startsWith(`workflow_${beep}_`)))
    await eventually(() => !house.kept.some(topic => topic.includes(`workflow_${beep}_`)))
    expect(house.problems()).toEqual([])
  })

  test('a box that goes is unavailable, one without a broker is gone', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const first = await boxAt(broker)
    const beep = await first.save(BEEP)
    await house.entity(`workflow_${beep}_press`)
    await first.stop()
    expect(await house.entity('connected', ({ state }) => state === 'offline')).toMatchObject({
      available: true,
    })
    expect(house.entities().get(`workflow_${beep}_press`)).toMatchObject({ available: false })
    const second = await boxAt(broker, '', first.dataDir)
    await house.entity(`workflow_${beep}_press`, ({ available }) => available)
    second.setSite('none')
    await eventually(() => house.devices.length === 0 && house.kept.length === 0)
    const { heard } = await broker.listener('#')
    await Bun.sleep(100)
    expect(heard).toEqual([])
  })

  test('a box that is killed is unavailable at once', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const dir = temporaryFolder()
    writeFileSync(join(dir, 'site.yaml'), `cameras: { door: {} }\nmqtt: { url: "${broker.url()}" }\n`)
    const [main, args] = [resolve('src/main.ts'), ['--data', dir, '--port', '0', '--no-demo']]
    const box = Bun.spawn([process.execPath, main, 'up', ...args], { stdout: 'ignore', stderr: 'ignore' })
    onTestFinished(() => box.kill('SIGKILL'))
    await house.entity('connected', ({ state }) => state === 'online')
    box.kill('SIGKILL')
    await house.entity('connected', ({ state }) => state === 'offline')
    expect(house.entities().get('site_mode')?.available).toBe(false)
  })

  test('a broker that is killed comes back to all of it', async () => {
    const broker = await Mosquitto.start()
    const { save } = await boxAt(broker)
    const beep = await save(BEEP)
    const before = await House.at(broker)
    await before.entity(`workflow_${beep}_state`, ({ state }) => state === 'On')
    await before.entity('connected', ({ state }) => state === 'online')
    await eventually(() => before.entities().get('version')?.state !== undefined)
    const kept = before.kept
    before.client.end(true)
    await broker.kill()
    await broker.run()
    const house = await House.at(broker)
    await house.entity(`workflow_${beep}_press`, ({ available }) => available)
    await eventually(() => house.kept.length === kept.length)
    expect(house.kept).toEqual(kept)
    await house.command(`workflow_${beep}_press`, 'PRESS')
    await eventually(() => house.events.length === 2)
    expect(house.problems()).toEqual([])
  })

  test('when Home Assistant begins it is told everything again', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const { save } = await boxAt(broker)
    await house.entity(`workflow_${await save(BEEP)}_press`)
    await house.entity('connected', ({ state }) => state === 'online')
    const from = house.heard.length
    await house.birth()
    const again = () => house.heard.slice(from).map(({ topic }) => topic)
    await eventually(() => house.kept.every(topic => again().includes(topic)))
    expect(again().filter(topic => topic.endsWith('/config'))).toHaveLength(1)
  })

  test('what was taken away while no box was there is cleared at the next start', async () => {
    const broker = await Mosquitto.start()
    const first = await boxAt(broker)
    const beep = await first.save(BEEP)
    const house = await House.at(broker)
    await house.entity(`workflow_${beep}_press`)
    await first.stop()
    const again = await boxAt(broker, 'none', first.dataDir)
    await again.box.engine.remove(beep)
    expect(house.entities().has(`workflow_${beep}_press`)).toBe(true)
    again.setSite('')
    await eventually(() => !house.entities().has(`workflow_${beep}_press`))
    await eventually(() => !house.kept.some(topic => topic.includes(`workflow_${beep}_`)))
  })

  test('two boxes on one broker do not meet', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const one = await boxAt(broker, ', name: North')
    const two = await boxAt(broker, ', name: South')
    const [a, b] = [await one.save(BEEP), await two.save(BEEP)]
    expect(a).toBe(b)
    const north = await house.entity(`workflow_${a}_press`, () => true, 'North')
    const south = await house.entity(`workflow_${b}_press`, () => true, 'South')
    expect(north.unique_id).not.toBe(south.unique_id)
    await house.client.publishAsync(north.command_topic ?? '', 'PRESS')
    await eventually(() => one.box.engine.run(1) !== null)
    expect(two.box.engine.run(1)).toBeNull()
    await two.stop()
    expect(await house.entity('connected', ({ state }) => state === 'online', 'North')).toBeDefined()
  })

  test('what is no command does nothing, and is counted', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const { save, box, url } = await boxAt(broker)
    const beep = await save(BEEP)
    const { command_topic: topic = '' } = await house.entity(`workflow_${beep}_press`)
    const send = (payload: string | Buffer, options = {}) =>
      house.client.publishAsync(topic, payload, options)
    await send('press')
    await send('')
    await send(Buffer.from([0xff, 0xfe]))
    await send('PRESS\n')
    await send('x'.repeat(10_000))
    await house.client.publishAsync(topic.replace('workflow', 'nothing'), 'PRESS')
    await house.client.publishAsync(topic.replace(`workflow_${beep}_press`, '__proto__'), 'PRESS')
    const health = async () => (await (await fetch(`${url}/api/v1/system/health`)).json()).shed
    const until = async (name: string, count: number) => {
      for (let tries = 0; (await health())[name] !== count; tries++) {
        if (tries > 200) throw new Error(JSON.stringify(await health()))
        await Bun.sleep(20)
      }
    }
    await until('mqtt_commands_unknown', 2)
    expect(await health()).toMatchObject({ mqtt_commands_refused: 1, mqtt_commands_malformed: 4 })
    for (let i = 0; i < 10_000; i++) house.client.publish(topic, 'nonsense')
    await send('PRESS')
    const left = async () => {
      const { mqtt_commands_too_many: many, mqtt_commands_refused: refused } = await health()
      return (many ?? 0) + refused
    }
    for (let tries = 0; (await left()) < 10_002 && tries < 500; tries++) await Bun.sleep(20)
    expect(await left()).toBe(10_002)
    expect((await health()).mqtt_commands_too_many).toBeGreaterThan(9_000)
    expect(box.engine.run(1)).toBeNull()
  })

  test('a broker that does not let the box speak to Home Assistant is a problem, and is not pestered', async () => {
    const broker = await Mosquitto.start({ users: { box: 'pw', house: 'pw' } })
    await broker.kill()
    const acl = 'user box\ntopic readwrite gatehouse/#\nuser house\ntopic readwrite #\n'
    writeFileSync(join(broker.dir, 'acl'), acl)
    const conf = join(broker.dir, 'mosquitto.conf')
    writeFileSync(conf, `${readFileSync(conf, 'utf8')}acl_file ${join(broker.dir, 'acl')}\n`)
    await broker.run()
    const dataDir = temporaryFolder()
    mkdirSync(join(dataDir, 'secrets'))
    writeFileSync(join(dataDir, 'secrets/mqtt'), 'pw')
    const { heard } = await broker.listener(['homeassistant/#', 'gatehouse/#'], {
      username: 'house',
      password: 'pw',
    })
    const { url } = await boxAt(broker, ', user: box, password: { secret: mqtt }', dataDir)
    const problem = async () => (await (await fetch(`${url}/api/v1/system/health`)).json()).connections.MQTT
    const said = 'look which topics mqtt.user may use'
    for (let tries = 0; !(await problem())?.includes(said) && tries < 500; tries++) await Bun.sleep(20)
    expect(await problem()).toContain(said)
    expect(heard.some(({ topic }) => topic.startsWith('homeassistant/'))).toBe(false)
    expect(heard.length).toBeLessThan(50)
  })

  test('what others leave at the place of this box does no harm', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const first = await boxAt(broker)
    await house.entity('connected', ({ state }) => state === 'online')
    const topic = house.heard.find(({ topic: at }) => at.endsWith('/config'))?.topic ?? ''
    await first.stop()
    const crowd = Object.fromEntries([...Array(5_000).keys()].map(n => [`x_${n}`, { p: 'sensor', a: 1 }]))
    const left = [
      ...['no json', '[]', '{"cmps":5}', '['.repeat(100_000), '{"cmps":{"__proto__":{"p":"sensor","a":1}}}'],
      '{"cmps":{"../x/#":{"p":"sensor","a":1},"ok":{"p":"../x","a":1},"odd":null}}',
      JSON.stringify({ cmps: crowd }),
    ]
    for (const payload of left) {
      await house.client.publishAsync(topic, payload, { retain: true, qos: 1 })
      const { stop } = await boxAt(broker, '', first.dataDir)
      await house.entity('connected', ({ state }) => state === 'online')
      const { device } = await eventuallyDevice(house, topic)
      expect(Object.keys(device.cmps).length).toBeLessThan(300)
      await stop()
    }
  })

  test('a command that the broker kept is of another time', async () => {
    const broker = await Mosquitto.start()
    const house = await House.at(broker)
    const first = await boxAt(broker)
    const beep = await first.save(BEEP)
    await house.entity(`workflow_${beep}_press`)
    await first.stop()
    await house.command(`workflow_${beep}_press`, 'PRESS', { retain: true })
    const { box, url } = await boxAt(broker, '', first.dataDir)
    await house.entity('connected', ({ state }) => state === 'online')
    const health = async () => (await (await fetch(`${url}/api/v1/system/health`)).json()).shed
    for (let tries = 0; (await health()).mqtt_commands_retained !== 1 && tries < 200; tries++)
      await Bun.sleep(20)
    expect(await health()).toMatchObject({ mqtt_commands_retained: 1 })
    expect(box.engine.run(1)).toBeNull()
  })
})
