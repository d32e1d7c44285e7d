import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Answer, resume } from '../../../src/ai/index.ts'
import type { JsonValue } from '../../../src/core/index.ts'
import { Scripted } from '../scripted.ts'
import { askPerson, call, decided, decisionOf, FINISH, suspendedOf, tool, World } from './world.ts'

const ASK = call('ask_person', { question: 'Do you know the van?' })
const GATE = call('describe_camera', { camera: 'gate' })

async function asked(
  world: World,
  script: ConstructorParameters<typeof Scripted>[0] = [ASK],
  tools = [askPerson(), tool()],
) {
  return suspendedOf(await world.run(new Scripted(script), tools))
}

describe('an investigation that asks a person', () => {
  test('waits as plain JSON, and goes on with the answer as data', async () => {
    const world = new World()
    const { suspended, state } = await asked(world, [GATE, ASK])
    expect(suspended).toEqual({ message: 'Do you know the van?', replies: ['Yes', 'No'], role: 'guard' })
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    const model = new Scripted([FINISH, decided('known')])
    const came = await resume(model, state, { answer: 'Yes' }, world.ports([askPerson(), tool()]))
    const decision = decisionOf(came)
    expect(decision).toMatchObject({ decision: 'known', usage: { modelCalls: 4, toolCalls: 2 } })
    expect(world.told).toEqual([
      ...['scripted ok', 'describe_camera ok', 'scripted ok', 'ask_person suspended'],
      ...['ask_person ok', 'scripted ok', 'scripted ok'],
    ])
    expect(decision.trace).toEqual(world.traced)
    expect(model.told(0)).toContain('"answer":"Yes"')
    expect(model.told(0)).toContain('"things":["van"]')
  })

  test('has the time that was left, however long people took', async () => {
    const world = new World()
    const slow = tool({
      handler: () => {
        world.clock.advance(20_000)
        return { result: 1 }
      },
    })
    const { state } = await asked(world, [GATE, ASK], [askPerson(), slow])
    world.clock.advance(86_400_000)
    const model = new Scripted([FINISH, decided('known')])
    await resume(model, state, { answer: 'No' }, world.ports([askPerson(), slow]))
    expect(model.asked[0]?.timeoutMs).toBe(120_000 * 0.75 - 20_000)
    expect(model.asked[1]?.timeoutMs).toBe(100_000)
  })

  test.each<[Answer, string]>([
    [{ answer: null }, '"note":"nobody answered"'],
    [{ answer: null, test: true }, '"would_have_asked":true'],
  ])('goes on where nobody answers: %j', async (answer, told) => {
    const world = new World()
    const { state } = await asked(world)
    const model = new Scripted([FINISH, decided('stranger')])
    expect(decisionOf(await resume(model, state, answer, world.ports([askPerson()]))).decision).toBe(
      'stranger',
    )
    expect(model.told(0)).toContain(told)
  })

  test('asks three times at most, and is told so', async () => {
    const world = new World()
    const other = (n: number) => call('ask_person', { question: `Do you know van ${n}?` })
    const ports = world.ports([askPerson()])
    let came = await world.run(new Scripted([other(0)]), [askPerson()], {
      limits: { toolCalls: 9, ms: 9e5, modelCalls: 30, tokens: 9e5 },
    })
    for (let n = 1; n < 3; n++)
      came = await resume(new Scripted([other(n)]), suspendedOf(came).state, { answer: 'No' }, ports)
    const model = new Scripted([other(3), FINISH, decided('known')])
    came = await resume(model, suspendedOf(came).state, { answer: 'No' }, ports)
    expect(decisionOf(came).decision).toBe('known')
    expect(world.told).toContain('ask_person refused asked_enough')
  })

  test('a question that cannot be made is a failed call', async () => {
    const world = new World()
    const broken = askPerson({ handler: () => ({ result: 'no question' }) })
    await world.decide(new Scripted([ASK, FINISH, decided('known')]), [broken])
    expect(world.told).toContain('ask_person failed')
  })
})

describe('a tool that may be used only when a person agrees', () => {
  const guarded = (used: { n: number }) =>
    tool({
      mode: 'ask',
      handler: () => {
        used.n++
        return { result: 'a van' }
      },
    })

  test.each([
    ['Allow', 1, 'describe_camera ok'],
    ['Refuse', 0, 'describe_camera refused refused'],
    [null, 0, 'describe_camera refused not_allowed'],
  ])('%s', async (answer, times, told) => {
    const world = new World()
    const used = { n: 0 }
    const { suspended, state } = await asked(world, [GATE], [guarded(used)])
    expect(suspended).toEqual({
      message: 'May the AI use describe_camera (camera: gate)?',
      replies: ['Allow', 'Refuse'],
      role: null,
    })
    expect(used.n).toBe(0)
    const model = new Scripted([FINISH, decided('known')])
    decisionOf(await resume(model, state, { answer }, world.ports([guarded(used)])))
    expect(used.n).toBe(times)
    expect(world.told).toContain(told)
  })

  test('and that the site took away meanwhile is not used', async () => {
    const world = new World()
    const used = { n: 0 }
    const { state } = await asked(world, [GATE], [guarded(used)])
    const off = tool({ mode: 'unavailable', why: 'the site does not allow it' })
    const came = await resume(
      new Scripted([decided('stranger')]),
      state,
      { answer: 'Allow' },
      world.ports([off]),
    )
    expect(decisionOf(came).decision).toBe('stranger')
    expect(world.told).toContain('describe_camera refused unavailable')
    const gone = await resume(
      new Scripted([decided('stranger')]),
      state,
      { answer: 'Allow' },
      world.ports([]),
    )
    expect(decisionOf(gone).decision).toBe('stranger')
  })
})

describe('what was put away', () => {
  test('and is not understood any more is unsure, whatever it is', async () => {
    const world = new World()
    const { state } = await asked(world)
    const whole = state as { [key: string]: JsonValue }
    const broken: JsonValue[] = [null, 1, 'x', [], {}, { ...whole, v: 2 }, { ...whole, pending: null }]
    for (const key of Object.keys(whole)) {
      const { [key]: _, ...rest } = whole
      broken.push(rest, { ...whole, [key]: 'x' }, { ...whole, [key]: null })
    }
    const ports = world.ports([askPerson()])
    for (const each of broken) {
      const model = new Scripted([FINISH, decided('known')])
      const came = decisionOf(await resume(model, each, { answer: 'Yes' }, ports))
      expect(came).toMatchObject({ decision: 'unsure', unsureReason: 'invalid_output' })
      expect(model.asked).toEqual([])
    }
  })

  test('is gone on with in another process, with the time left', async () => {
    const world = new World()
    const { state } = await asked(world, [GATE, ASK])
    const child = Bun.spawn([process.execPath, join(import.meta.dirname, 'resumed.ts')], {
      stdin: new TextEncoder().encode(JSON.stringify(state)),
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const said = JSON.parse(await new Response(child.stdout).text()) as { [key: string]: JsonValue }
    expect(said.pid).not.toBe(process.pid)
    expect(said.decision).toMatchObject({ decision: 'known', usage: { modelCalls: 4, toolCalls: 2 } })
    expect(said.told).toContain('"things":["van"]')
    expect(said.told).toContain('"answer":"Yes"')
  })
})

test('a model that sees is shown a picture again after a restart; one that is gone keeps the decision unsure', async () => {
  const bytes = new Uint8Array([0xff, 0xd8, 0xff])
  const picture = { bytes, takenAt: 0, source: 'camera gate' }
  const seeing = tool({
    handler: () => ({ result: { picture: 1 }, pictures: [{ ref: 7, picture, seen: null }] }),
  })
  const sees = { sees: true }
  for (const [kept, decision] of [
    [picture, 'known'],
    [null, 'unsure'],
  ] as const) {
    const world = new World()
    const first = new Scripted([GATE, ASK], sees)
    const { state } = suspendedOf(await world.run(first, [askPerson(), seeing], { floor: 0.6 }))
    expect(first.asked[1]?.messages.at(-1)?.pictures).toEqual([picture])
    const model = new Scripted([FINISH, decided('known')], sees)
    const ports = {
      ...world.ports([askPerson(), seeing]),
      picture: async (ref: number) => (ref === 7 ? kept : null),
    }
    const came = decisionOf(await resume(model, state, { answer: 'Yes' }, ports))
    expect(came.decision).toBe(decision)
    expect(model.asked[0]?.messages[3]?.pictures).toEqual(kept ? [picture] : undefined)
    if (!kept)
      expect(came).toMatchObject({
        confidenceSource: 'evidence',
        reason: expect.stringContaining('a picture was gone'),
      })
  }
})
