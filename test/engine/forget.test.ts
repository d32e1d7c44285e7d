import { Database } from 'bun:sqlite'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Forget } from '../../src/engine/index.ts'
import { soughtFor } from '../../src/engine/keep/sought.ts'
import { Box, decision, picture } from './box.ts'

const ann = { by: 'session', name: 'Ann' } as const
const PLATE = 'B-QX 4711'
const file = (name: string, camera: string, then: string) => `
contract: workflow.v1
name: ${name}
state: on
limits: { cooldown: 0s, per_hour: 1000, one_at_a_time: plate }
when: { event: { schema: plate.recognized.v1, cameras: [${camera}] } }
then: [ ${then} ]
`
const LOOK = 'ai: { mode: look, prompt: Who?, input: picture, decision: [a, b], a: [], b: [], unsure: [] }'
const ASK =
  'ask_person: { who: role:guard, message: "{plate}?", replies: [Yes, No], timeout: 1h, default: No }'

let box: Box
beforeEach(async () => {
  box = await new Box({ keep: { restMs: 0 } }).start()
})
afterEach(() => box.stop())

const read = (plate: string, camera = 'gate', text?: string) =>
  box.event({
    cameraId: camera,
    payload: { plate_text: plate, confidence: 0.97, note: `line\n${plate} `.repeat(500) },
    pictures: text ? [picture(text, box.clock.now())] : [],
  })

/** Every file of the data folder that holds a text, in any spelling that is looked for. */
function holding(text: string, dir = box.dir): string[] {
  const sought = soughtFor({ plate: text })
  return readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(name => {
    const path = join(dir, name)
    return statSync(path).isFile() && sought.says(readFileSync(path, 'latin1'))
  })
}
const forget = (what: Forget) => box.engine.forgetting.forget(what, 'Ann')
const pictures = () =>
  readdirSync(join(box.dir, 'media'), { recursive: true, encoding: 'utf8' }).filter(name => name.length > 60)

describe('a plate that is forgotten', () => {
  test('is in no file of the data folder any more, the others are where they were', async () => {
    box.look = async () => decision({ decision: 'a', reason: `A car, ${reason}, stands there.` })
    let reason = PLATE
    const alerts = `${LOOK}, alert: { severity: low, title: "{plate} is here" }`
    await box.save(file('Looks', 'gate', alerts), 'on')
    await box.store.write(() => box.store.events.remember(row(PLATE)))
    await box.store.write(() => box.store.events.remember(row('B-XY 9')))
    await box.save(file('Asks', 'yard', ASK))
    const mine = await box.run(read(PLATE, 'gate', 'mine'))
    reason = 'B-XY 1'
    const other = await box.run(read('B-XY 1', 'gate', 'other'))
    const waiting = await box.begin(read(` ${PLATE.toLowerCase()}`, 'yard-1'))
    await box.until(waiting, 'waiting')
    await box.store.write(() => box.store.audit.add(entry(`list known: ${PLATE}`)))
    box.store.checkpoint()
    await box.run(read('B-XY 2'))
    box.clock.advance(2 * 3_600_000)
    await box.until(waiting, 'done')
    const again = await box.begin(read('B QX-4711', 'yard-1'))
    await box.until(again, 'waiting')
    let told = 0
    box.bus.on('forgotten', () => told++)
    expect(holding(PLATE)).toEqual(expect.arrayContaining(['gatehouse.db', 'gatehouse.db-wal']))

    const seen = await box.engine.forgetting.preview({ plate: 'bqx4711' })
    expect(seen).toMatchObject({ runs: 3, running: 1, pictures: 1, events: 1, notices: 1, audit: 1 })
    expect(pictures()).toHaveLength(2)
    const gone = await forget({ plate: 'bqx4711' })
    expect(gone).toMatchObject({ runs: 3, left: [], pictures: 1, events: 1, audit: 1, clean: true })
    expect(holding(PLATE)).toEqual([])
    // Pages that are open start anew.
    expect(told).toBe(1)
    expect(pictures()).toHaveLength(1)
    expect(box.engine.run(mine.id)).toBeNull()
    expect(box.engine.run(other.id)?.values).toMatchObject({ plate: 'B-XY 1' })
    expect(await box.engine.forgetting.preview({ plate: PLATE })).toMatchObject({ runs: 0, events: 0 })
    // Who did it, and how much: never what.
    const said = box.engine.audit({ limit: 10 }).map(({ by, action, target }) => `${by} ${action} ${target}`)
    expect(said[0]).toBe('Ann privacy.forget a plate: 3 runs, 1 pictures and clips, 1 events')
    expect(said).toContain('Ann setup list known: (forgotten)')
    await box.restart()
    expect(holding(PLATE)).toEqual([])
  })

  test('leaves the fact of a move, and an unknown one to be settled', async () => {
    await box.save(
      `${file('Opens', 'gate', `${ASK}\n    Yes: [ webhook: { to: barrier, json: { open: "{plate}" } } ]`)}`.replace(
        /then: \[ (.*)\]/s,
        'then:\n  - $1',
      ),
    )
    const moved = async (answer: number) => {
      box.answer = () => answer
      const run = await box.begin(read(PLATE))
      await box.until(run, 'waiting')
      const [question] = box.engine.approvals({ open: true })
      await box.engine.answer(question?.id ?? 0, 'Yes', ann)
      await box.ended(run)
      return run
    }
    const done = await moved(200)
    const unknown = await moved(500)
    const gone = await forget({ plate: PLATE })
    expect(gone).toMatchObject({ runs: 2, kept: 2, clean: true })
    expect(holding(PLATE)).toEqual([])
    expect(box.store.intents.ofRun(done)).toMatchObject([{ kind: 'webhook', status: 'done', params: {} }])
    expect(box.engine.run(done)).toMatchObject({ status: 'done', values: {}, steps: [{ inputs: null }] })
    expect(box.engine.notices({ unsettled: true, limit: 10 })).toMatchObject([{ run: unknown, body: '' }])
    expect(await box.engine.settle(unknown, true, 'Ann')).toMatchObject({ status: 'done' })
    const sent = box.sent.length
    await box.restart()
    await box.quiet()
    expect(box.sent).toHaveLength(sent)
  })

  test('gives no number twice, and what was sent just now is no news when it is sent again', async () => {
    await box.save(file('Logs', 'gate', 'alert: { severity: low, title: "{plate}" }'))
    const event = read(PLATE, 'gate', 'one')
    const run = await box.run(event)
    const { id: notice } = box.notices(run.id)[0] ?? { id: 0 }
    const media = box.store.media.ofRun(run.id)[0]?.id ?? 0
    expect(await forget({ plate: PLATE })).toMatchObject({ runs: 1, kept: 1 })
    expect([pictures(), box.store.media.ofRun(run.id)]).toEqual([[], []])
    await box.restart()
    expect(await box.refused(event)).toBe('seen')
    const next = await box.run(read('B-XY 1', 'gate', 'two'))
    expect(next.id).toBeGreaterThan(run.id)
    expect(box.notices(next.id)[0]?.id).toBeGreaterThan(notice)
    expect(box.store.media.ofRun(next.id)[0]?.id).toBeGreaterThan(media)
  })

  test('takes its picture from other runs, too, and from questions that show it', async () => {
    box.look = async () => decision({ decision: 'a' })
    await box.save(file('Logs', 'gate', 'log: "{plate}"'))
    await box.save(file('Asks', 'yard', ASK))
    await box.run(read(PLATE, 'gate', 'same'))
    const asks = await box.begin(read('B-XY 1', 'yard-1', 'same'))
    await box.until(asks, 'waiting')
    expect(pictures()).toHaveLength(1)
    await forget({ plate: PLATE })
    expect(pictures()).toEqual([])
    expect(box.engine.approvals({ open: true })).toMatchObject([{ run: asks, pictures: [] }])
    expect(box.engine.run(asks)).toMatchObject({ status: 'waiting', pictures: [] })
  })

  test('takes cases: of its runs, of its pictures, and those that say it', async () => {
    await box.save(file('Logs', 'gate', 'log: "{plate}"'))
    const mine = await box.run(read(PLATE, 'gate', 'mine'))
    const other = await box.run(read('B-XY 1', 'gate', 'other'))
    const [hash = '', kept = ''] = [mine, other].map(({ id }) => box.store.media.ofRun(id)[0]?.hash)
    const said = (plate: string) => ({ event: { payload: { plate_text: plate } }, judged: {} })
    const add = (runId: number, plate: string, hashes: string[]) => {
      const rest = {
        expected: 'a',
        note: null,
        author: 'Ann',
        at: 1,
        decision: null,
        reason: null,
        judges: null,
      }
      const row = {
        workflowId: 1,
        runId,
        cameraId: 'gate',
        startedAt: box.clock.now(),
        ...said(plate),
        ...rest,
      }
      const picture = (hash: string) => ({
        hash,
        type: 'image/jpeg',
        bytes: 4,
        source: 'x',
        takenAt: 1,
        shotAt: 1,
      })
      return box.store.write(() =>
        box.store.cases.add({ ...row, version: null, triedAt: null, solved: false }, hashes.map(picture)),
      )
    }
    await add(mine.id, '', [])
    await add(97, 'B-XY 1', [hash])
    await add(98, PLATE, [])
    const stays = await add(99, 'B-XY 1', [kept])
    expect(await box.engine.forgetting.preview({ plate: PLATE })).toMatchObject({ cases: 1 })
    expect(await forget({ plate: PLATE })).toMatchObject({ runs: 1, cases: 3 })
    expect(box.store.cases.ofWorkflow(1).map(({ id }) => id)).toEqual([stays])
    expect(pictures().map(name => name.slice(3))).toEqual([kept])
    expect(holding(PLATE)).toEqual([])
  })

  test('a file from before deleted rows were overwritten is written anew, once', async () => {
    const raw = (...lines: string[]) => {
      const db = new Database(join(box.dir, 'gatehouse.db'))
      for (const line of lines) db.run(line)
      db.close()
    }
    const leave = [
      'PRAGMA secure_delete = 0',
      `INSERT INTO meta (key, value) VALUES ('left', '${`${PLATE} `.repeat(40)}')`,
      "DELETE FROM meta WHERE key = 'left'",
    ]
    raw(...leave)
    expect(await forget({ plate: PLATE })).toMatchObject({ clean: true })
    expect(holding(PLATE)).toEqual(['gatehouse.db'])
    raw("DELETE FROM meta WHERE key = 'overwrites'")
    expect(await forget({ plate: PLATE })).toMatchObject({ clean: true })
    expect(holding(PLATE)).toEqual([])
    await box.save(file('Logs', 'gate', 'log: "{plate}"'))
    await box.run(read('B-XY 3'))
    await box.restart()
    expect(box.store.meta.get('overwrites')).toBe('yes')
  })
})

test('a face goes by its name, users who bear it stay', async () => {
  box.look = async () => decision({ decision: 'a', reason: 'Renée Müller waits at the door.' })
  await box.save(file('Looks', 'gate', LOOK))
  await box.save(file('Asks', 'yard', ASK))
  const seen = await box.run(read('B-XY 1', 'gate', 'face'))
  const asks = await box.begin(read('B-XY 2', 'yard-1'))
  await box.until(asks, 'waiting')
  const [question] = box.engine.approvals({ open: true })
  await box.engine.answer(question?.id ?? 0, 'Yes', { by: 'session', name: 'Renee Muller' })
  await box.ended(asks)
  expect(await forget({ face: 'renee  müller' })).toMatchObject({ runs: 1, pictures: 1 })
  expect(box.engine.run(seen.id)).toMatchObject({ values: {}, steps: [], pictures: [] })
  expect(box.engine.run(asks)).toMatchObject({ values: { answered_by: 'Renee Muller' } })
})

test('a span of time goes, of one camera or of all', async () => {
  await box.save(file('Gate', 'gate', 'log: "{plate}"'))
  await box.save(file('Yard', 'yard', 'log: "{plate}"'))
  const before = await box.run(read('B-XY 1'))
  box.clock.advance(3_600_000)
  const from = box.clock.now()
  const gate = await box.run(read('B-XY 2'))
  const yard = await box.run(read('B-XY 3', 'yard-1'))
  box.clock.advance(60_000)
  const until = box.clock.now()
  box.clock.advance(3_600_000)
  const after = await box.run(read('B-XY 4'))
  const there = () => [before, gate, yard, after].filter(({ id }) => box.engine.run(id) !== null)
  expect(await forget({ from, until, camera: 'gate' })).toMatchObject({ runs: 1, events: 1 })
  expect(there()).toEqual([before, yard, after])
  expect(await forget({ from, until, camera: null })).toMatchObject({ runs: 1, events: 1 })
  expect(there()).toEqual([before, after])
  await expect(forget({ from: until, until: from, camera: null })).rejects.toMatchObject({ code: 'bad_body' })
})

test('nothing is forgotten half while the box stops, and not two things at once', async () => {
  await box.save(file('Logs', 'gate', 'log: "{plate}"'))
  await box.run(read(PLATE))
  const first = forget({ plate: PLATE })
  await expect(forget({ plate: PLATE })).rejects.toMatchObject({ code: 'forgetting' })
  expect(await first).toMatchObject({ runs: 1 })
  const second = forget({ plate: 'B-XY 1' }).catch(error => error)
  await box.engine.stop()
  expect(await second).toMatchObject({ code: 'not_running' })
})

test('what a killed process had yet to remove goes when the same is forgotten again', async () => {
  await box.save(file('Looks', 'gate', LOOK), 'on')
  box.look = async () => decision({ decision: 'a' })
  const run = await box.run(read(PLATE, 'gate', 'mine'))
  await box.run(read('B-XY 1', 'gate', 'other'))
  // The rows went; the process was killed before the pictures did.
  await box.store.write(() => box.store.forgetting.erase([run.id]))
  await box.restart()
  expect(pictures()).toHaveLength(2)
  expect(await forget({ plate: PLATE })).toMatchObject({ clean: true })
  expect(pictures()).toHaveLength(1)
})

describe('what is looked for', () => {
  const says = (what: Forget, text: string) => soughtFor(what).says(text)

  test('a plate is found however it is written, and never inside of a longer word', () => {
    for (const text of [
      PLATE,
      'b qx4711',
      'x B.QX·4711.',
      '{"a":"\\nB-QX 4711"}',
      'to=B-QX%204711&',
      'B_QX_4711',
    ])
      expect([text, says({ plate: 'BQX 4711' }, text)]).toEqual([text, true])
    for (const text of ['AB-QX 4711', 'B-QX 47112', 'B-QX 411', 'Ä B-QXÄ4711', 'ÄB-QX 4711'])
      expect([text, says({ plate: 'BQX 4711' }, text)]).toEqual([text, false])
    expect(soughtFor({ plate: 'bqx4711' }).without('seen: B-QX 4711, twice b-qx 4711')).toBe(
      'seen: (forgotten), twice (forgotten)',
    )
  })

  test('a name is found without case and accents, as a whole', () => {
    const face = { face: 'Anna-Léa  O’Neill (Jr.)' }
    for (const text of ['anna-lea o’neill (jr.)', '{"name":"Anna-Lea O’Neill (Jr.)"}'])
      expect([text, says(face, text)]).toEqual([text, true])
    expect(says({ face: 'Ann' }, 'Anna is here')).toBe(false)
    expect(says({ face: 'Ann' }, '{"answered_by":"Ann","by":{"by":"session","name":"Ann"}}')).toBe(false)
  })

  test('what is too short or too long to be looked for is refused', () => {
    for (const what of [
      { plate: ' - ' },
      { plate: 'A' },
      { plate: 'A'.repeat(101) },
      { face: ' ' },
    ] as Forget[])
      expect(() => soughtFor(what)).toThrow(expect.objectContaining({ code: 'bad_body' }))
  })
})

const entry = (target: string) => ({
  ...{ at: box.clock.now(), author: 'Ann', action: 'setup', target, before: null, after: null },
})

const row = (plate: string) => ({
  ...{ eventId: `evt ${plate}`, kind: 'event', schema: 'plate.recognized.v1', cameraId: 'gate' },
  ...{ at: box.clock.now(), payload: { plate_text: plate } },
})
