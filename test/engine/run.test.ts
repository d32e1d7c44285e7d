import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GatehouseError } from '../../src/core/index.ts'
import { Box, picture } from './box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box().start()
})
afterEach(() => box.stop())

const head = `
contract: workflow.v1
name: W
state: on
limits: { cooldown: 0s, per_hour: 1000 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
`

describe('a run', () => {
  test('goes through its steps and stores them', async () => {
    await box.save(`${head}
then:
  - log: "{plate} at {camera}"
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      - notify: { who: role:guard, message: "{plate} is back" }
    else:
      - log: stranger
  - webhook: { to: chat, json: { text: "{plate}", n: 1 } }
always:
  - log: "end {camera_name} {camera_id}"
`)
    const run = await box.run(box.event())
    expect(run.status).toBe('done')
    expect(run.steps.map(({ path, kind, status, outcome }) => [path, kind, status, outcome])).toEqual([
      ['then[0]', 'log', 'done', null],
      ['then[1]', 'if', 'done', 'then'],
      ['then[1].then[0]', 'notify', 'done', null],
      ['then[2]', 'webhook', 'done', null],
      ['always[0]', 'log', 'done', null],
    ])
    expect(run.steps[0]?.inputs).toBe('B-AB 123 at gate')
    expect(run.steps[4]?.inputs).toBe('end Main gate gate')
    expect(box.sent).toEqual([
      { to: 'chat', json: { text: 'B-AB 123', n: 1 }, deliveryId: `${box.store.meta.boxId}-${run.id}-3` },
    ])
    const notice = { kind: 'notify', title: 'B-AB 123 is back', audience: 'role:guard', cameraId: 'gate' }
    expect(box.notices(run.id)).toMatchObject([notice])
    expect(run.values).toMatchObject({ plate: 'B-AB 123', camera: 'gate', confidence: 0.97 })
    expect(run.trigger).toMatchObject({
      kind: 'event',
      event: { schema: 'plate.recognized.v1', camera_id: 'gate' },
    })
  })

  test('fills placeholders once: what a value holds is data', async () => {
    await box.save(`${head}
then:
  - log: "{vehicle_label} / {plate} / {trigger.plate}"
`)
    const payload = {
      plate_text: '{camera_id}{plate}',
      vehicle_label: '{plate}',
      'trigger.plate': 'forged',
      confidence: 1,
    }
    const run = await box.run(box.event({ payload }))
    expect(run.steps[0]?.inputs).toBe('{plate} / {camera_id}{plate} / {camera_id}{plate}')
  })

  test('goes on behind a tell that failed, which is tried three times under one delivery id', async () => {
    await box.save(`${head}
then:
  - webhook: { to: chat, json: hello }
  - log: after
`)
    box.answer = () => 503
    const id = await box.begin(box.event())
    while (box.sent.length < 3) {
      await Bun.sleep(2)
      box.clock.advance(5_000)
    }
    const run = await box.ended(id)
    expect(run.status).toBe('done')
    expect(run.steps.map(({ status }) => status)).toEqual(['failed', 'done'])
    expect(run.steps[0]?.result).toMatchObject({ code: 'destination_refused' })
    expect(new Set(box.sent.map(({ deliveryId }) => deliveryId)).size).toBe(1)
  })

  test('does not try again what will not change', async () => {
    await box.save(`${head}\nthen:\n  - webhook: { to: chat }\n`)
    box.answer = () => 422
    expect((await box.run(box.event())).steps[0]?.status).toBe('failed')
    box.answer = () => new GatehouseError('egress_denied', 'no')
    expect((await box.run(box.event())).steps[0]?.result).toMatchObject({ code: 'egress_denied' })
    expect(box.sent).toHaveLength(2)
  })

  test('in Test does all but what reaches outside', async () => {
    await box.save(
      `${head}
then:
  - log: here
  - webhook: { to: chat, json: "{plate}" }
  - alert: { severity: low, title: "{plate}" }
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then: [ webhook: { to: barrier, json: open } ]
always:
  - log: end
`,
      'test',
    )
    const run = await box.run(box.event())
    expect(run.state).toBe('test')
    expect(run.steps.map(({ status }) => status)).toEqual([
      'done',
      'would_have',
      'would_have',
      'done',
      'would_have',
      'done',
    ])
    expect(run.steps[1]).toMatchObject({
      inputs: { to: 'chat', json: 'B-AB 123' },
      result: { effect: 'tell' },
    })
    expect(run.steps[4]?.result).toEqual({ effect: 'move' })
    expect(box.sent).toEqual([])
    expect(box.notices(run.id)).toEqual([])
    expect(box.store.intents.ofRun(run.id)).toEqual([])
  })

  test('tells the bus when it begins and ends, and what it told people', async () => {
    await box.save(`${head}\nthen:\n  - alert: { severity: high, title: "{plate}", description: body }\n`)
    const heard: unknown[] = []
    box.bus.on('run', run => heard.push(run.status))
    box.bus.on('notice', notice => heard.push(notice))
    await box.run(box.event({ chain: ['before'] }))
    const notice = {
      title: 'B-AB 123',
      severity: 'high',
      body: 'body',
      chain: ['before', 'w'],
      camera_id: 'gate',
    }
    expect(heard).toMatchObject(['running', notice, 'done'])
  })

  test('keeps the pictures of its event', async () => {
    await box.save(`${head}\nthen:\n  - alert: { severity: low, title: t, attach: [picture] }\n`)
    const run = await box.run(box.event({ pictures: [picture('one'), picture('two')] }))
    expect(run.pictures.map(({ type, step }) => [type, step])).toEqual([
      ['image/jpeg', null],
      ['image/jpeg', null],
    ])
    expect(box.notices(run.id)[0]?.mediaId).toBe(run.pictures[0]?.media)
    expect(box.engine.runs({ limit: 1 })[0]).toMatchObject({
      picture: run.pictures[0]?.media,
      status: 'done',
    })
  })
})

describe('a store that fails', () => {
  test('in the middle of a run has it taken up again; the tell bears the same id', async () => {
    await box.save(`${head}\nthen:\n  - webhook: { to: chat }\n  - log: after\n`)
    const write = box.store.write.bind(box.store)
    let failing = false
    box.store.write = (...args) => {
      if (!failing) return write(...args)
      failing = false
      return Promise.reject(new GatehouseError('disk_full', 'The disk is full.'))
    }
    box.answer = () => {
      failing = box.sent.length === 1
      return 200
    }
    const id = await box.begin(box.event())
    await expect.poll(() => failing || box.sent.length === 0).toBe(false)
    await Bun.sleep(10)
    expect(box.engine.run(id)?.steps[0]?.status).toBe('running')
    box.clock.advance(10_000)
    const run = await box.ended(id)
    expect([run.status, run.steps.map(({ status }) => status)]).toEqual(['done', ['done', 'done']])
    expect(box.sent).toHaveLength(2)
    expect(new Set(box.sent.map(({ deliveryId }) => deliveryId)).size).toBe(1)
  })

  test('with a version that is not understood any more ends its runs and stands in nobody’s way', async () => {
    const workflow = await box.save(`${head}\nthen:\n  - wait: 1h\n`)
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    await box.engine.stop()
    box.store.stop()
    const db = new Database(join(box.dir, 'gatehouse.db'))
    db.run("UPDATE workflow_versions SET yaml = 'contract: workflow.v0'")
    db.close()
    await box.restart()
    await box.until(id, 'failed')
    expect(box.engine.workflow(String(workflow))?.needs_attention).toContain('save it again')
    expect(box.store.due.all()).toEqual([])
    const saved = await box.engine.save(`${head}\nthen: [ log: again ]\n`, { id: workflow })
    expect(saved).toMatchObject({ ok: true, workflow: { needs_attention: null, version: 2 } })
    expect((await box.run(box.event())).status).toBe('done')
  })
})

describe('a wait', () => {
  const waits = `${head}
then:
  - log: before
  - wait: 10m
  - log: after
always:
  - log: end
`

  test('ends at its time', async () => {
    await box.save(waits)
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    box.clock.advance(599_000)
    await Bun.sleep(10)
    expect(box.engine.run(id)?.status).toBe('waiting')
    box.clock.advance(1_000)
    const run = await box.ended(id)
    expect(run.status).toBe('done')
    expect(run.steps.map(({ path }) => path)).toEqual(['then[0]', 'then[1]', 'then[2]', 'always[0]'])
    expect(run.steps[1]).toMatchObject({ status: 'done', ms: 600_000 })
    expect(box.store.due.all()).toEqual([])
  })

  test('keeps its deadline over a restart', async () => {
    await box.save(waits)
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    box.clock.advance(300_000)
    await box.restart()
    expect(box.engine.run(id)?.status).toBe('waiting')
    box.clock.advance(300_000)
    expect((await box.ended(id)).steps[1]?.ms).toBe(600_000)
  })

  test('that ended while the box was down goes on at once', async () => {
    await box.save(waits)
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    await box.engine.stop()
    box.clock.advance(3_600_000)
    await box.restart()
    expect((await box.ended(id)).status).toBe('done')
  })

  test('goes on with the version that it began with', async () => {
    const workflow = await box.save(waits)
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    const changed = await box.engine.save(`${head}\nthen:\n  - log: other\n`, { id: workflow })
    expect(changed).toMatchObject({ ok: true, workflow: { version: 2 } })
    await box.restart()
    box.clock.advance(600_000)
    const run = await box.ended(id)
    expect([run.version, run.steps.map(({ inputs }) => inputs)]).toEqual([
      1,
      ['before', '10m', 'after', 'end'],
    ])
  })
})

describe('a stop', () => {
  test('of a run that waits goes to `always`, once, and the run is stopped', async () => {
    await box.save(`${head}\nthen:\n  - wait: 1h\n  - log: never\nalways:\n  - log: end\n`)
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    const run = await box.engine.stopRun(id)
    expect(run.status).toBe('stopped')
    expect(run.steps.map(({ path, status }) => [path, status])).toEqual([
      ['then[0]', 'failed'],
      ['always[0]', 'done'],
    ])
    box.clock.advance(3_600_000)
    await Bun.sleep(10)
    expect(box.engine.run(id)?.steps).toHaveLength(2)
    await expect(box.engine.stopRun(id)).rejects.toMatchObject({ code: 'run_ended' })
  })

  test('at the very moment when a wait ends is not lost', async () => {
    await box.save(`${head}\nthen:\n  - wait: 1h\n  - webhook: { to: chat }\nalways:\n  - log: end\n`)
    const id = await box.begin(box.event())
    await box.until(id, 'waiting')
    const stopping = box.engine.stopRun(id)
    box.clock.advance(3_600_000)
    const run = await stopping
    expect([run.status, run.steps.map(({ path }) => path)]).toEqual(['stopped', ['then[0]', 'always[0]']])
    expect(box.sent).toEqual([])
  })

  test('of a run that is about to wait is not lost', async () => {
    await box.save(`${head}\nthen:\n  - webhook: { to: chat }\n  - wait: 1h\nalways:\n  - log: end\n`)
    const id = await box.begin(box.event())
    // The very commit with which it begins to wait.
    const write = box.store.write.bind(box.store)
    let stopping: Promise<unknown> | null = null
    box.store.write = (...args) => {
      const written = write(...args)
      if (box.store.steps.ofRun(id).length === 1 && box.sent.length === 1) {
        box.store.write = write
        stopping = box.engine.stopRun(id)
      }
      return written
    }
    const run = await box.ended(id)
    await stopping
    expect([run.status, run.steps.map(({ path }) => path)]).toEqual([
      'stopped',
      ['then[0]', 'then[1]', 'always[0]'],
    ])
    expect(box.store.due.all()).toEqual([])
    expect(box.engine.audit({ limit: 9 }).filter(({ action }) => action === 'run.stop')).toHaveLength(1)
  })

  test('does not break off what `always` does', async () => {
    await box.save(
      `${head}\nthen:\n  - webhook: { to: chat, json: a }\nalways:\n  - webhook: { to: chat, json: z }\n`,
    )
    const answer = Promise.withResolvers<number>()
    const aborted: boolean[] = []
    box.answer = ({ signal }) => {
      aborted.push(signal.aborted)
      return answer.promise
    }
    const id = await box.begin(box.event())
    await expect.poll(() => box.sent.length).toBe(1)
    const stopping = box.engine.stopRun(id)
    answer.resolve(200)
    expect((await stopping).status).toBe('stopped')
    expect([box.sent.length, aborted]).toEqual([2, [false, false]])
  })

  test('of a run at work takes effect behind the step that is going on', async () => {
    await box.save(`${head}\nthen:\n  - webhook: { to: chat }\n  - log: never\nalways:\n  - log: end\n`)
    const answer = Promise.withResolvers<number>()
    box.answer = () => answer.promise
    const id = await box.begin(box.event())
    await expect.poll(() => box.sent.length).toBe(1)
    const stopping = box.engine.stopRun(id)
    await expect.poll(() => box.engine.run(id)).toMatchObject({ status: 'running', stopping: true })
    answer.resolve(200)
    const run = await stopping
    expect(run).toMatchObject({ status: 'stopped', stopping: false })
    expect(run.steps.map(({ path, status }) => [path, status])).toEqual([
      ['then[0]', 'done'],
      ['always[0]', 'done'],
    ])
  })
})
