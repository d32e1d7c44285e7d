import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readCases } from '../../../src/ai/eval/index.ts'
import type { CaseTried } from '../../../src/engine/index.ts'
import { Retention } from '../../../src/engine/keep/retention.ts'
import { filesOf } from '../../../src/engine/learn/case-files.ts'
import { Site } from '../../../src/site/index.ts'
import { Box, decision, picture, SITE } from '../box.ts'

const YARD = `contract: workflow.v1
name: Yard
state: test
limits: { cooldown: 0s, per_hour: 1000, ai_per_hour: 1000 }
when: { event: { schema: picture.arrived.v1, cameras: [yard] } }
then:
  - ai:
      mode: look
      prompt: Who is it?
      input: picture
      decision: [person, clear]
      person: [{ log: "{reason}" }]
      clear: []
      unsure: []
`

let box: Box
/** What the model says to each picture. */
let says: string
beforeEach(async () => {
  box = await new Box({ keep: { restMs: 0 } }).start()
  says = 'person'
  box.look = async () => decision({ decision: says, reason: `it is ${says}`, confidence: 0.9 })
})
afterEach(() => box.stop())

const { set } = { set: () => box.engine.learning.set }
async function ran(name: string, state: 'test' | 'on' = 'test'): Promise<{ id: number; run: number }> {
  const id = box.engine.workflow('yard')?.id ?? (await box.save(YARD, state))
  const pictures = [picture(name, box.clock.now())]
  const run = await box.run(
    box.event({ schema: 'picture.arrived.v1', cameraId: 'yard-1', payload: { file: name }, pictures }),
  )
  return { id, run: run.id }
}
const watcher = (tried: CaseTried[] = []) => ({
  signal: new AbortController().signal,
  begins: () => {},
  tried: (one: CaseTried) => tried.push(one),
})
const hashOf = (run: number) => box.store.media.ofRun(run)[0]?.hash ?? ''
const isThere = (hash: string) => existsSync(join(box.dir, 'media', hash.slice(0, 2), hash))

describe('a run that is made a case', () => {
  test('says what is right, what may be, and what came of it; another word replaces it', async () => {
    const { id, run } = await ran('one')
    const made = await set().add(run, 'clear', 'a scarecrow', 'Ann')
    expect(made).toMatchObject({
      run,
      camera: 'yard-1',
      expected: 'clear',
      options: ['person', 'clear', 'unsure'],
      note: 'a scarecrow',
      by: 'Ann',
      pictures: 1,
      last: { decision: 'person', right: false, version: 1 },
    })
    expect(await set().add(run, 'person', null, 'Bo')).toMatchObject({
      id: made.id,
      expected: 'person',
      by: 'Bo',
      last: { right: true },
    })
    expect(set().list(id)).toHaveLength(1)
    expect(box.engine.run(run)?.marks).toEqual([])
    expect(box.engine.audit({ limit: 1 })).toMatchObject([
      { action: 'case.add', by: 'Bo', target: `run ${run}` },
    ])
    await expect(set().add(run, 'dragon', null, 'Bo')).rejects.toMatchObject({ code: 'not_an_answer' })
    await expect(set().add(99, 'person', null, 'Bo')).rejects.toMatchObject({ code: 'run_unknown' })
  })

  test('outlives its run with its picture, and goes with it when it is taken away', async () => {
    const { id, run } = await ran('one')
    const [, other] = [await ran('two'), await ran('three')]
    const hash = hashOf(run)
    const made = await set().add(run, 'person', null, 'Ann')
    await box.restart(400 * 24 * 3_600_000)
    const retention = new Retention(box.deps, () => false)
    retention.start()
    await retention.sweep()
    await retention.stop()
    expect([box.engine.run(run), box.engine.run(other.run)?.id, isThere(hash)]).toEqual([
      null,
      other.run,
      true,
    ])
    expect(set().list(id)).toMatchObject([{ id: made.id, run: null, pictures: 1 }])
    const tried: CaseTried[] = []
    says = 'clear'
    expect(await set().tryAll(id, watcher(tried))).toMatchObject({ flipped: 1 })
    expect(tried).toMatchObject([{ id: made.id, decision: 'clear', right: false, flipped: true }])
    expect(set().list(id)[0]?.last).toMatchObject({ decision: 'clear', reason: 'it is clear', right: false })
    expect(new TextDecoder().decode((await set().picture(id, made.id))?.bytes.slice(3))).toBe('one')
    await set().remove(id, made.id, 'Ann')
    expect([set().list(id), isThere(hash)]).toEqual([[], false])
    await expect(set().remove(id, made.id, 'Ann')).rejects.toMatchObject({ code: 'case_unknown' })
  })

  test('holds its workflow up where it came out right before and does not now, as often as it is asked', async () => {
    const { id, run } = await ran('one')
    const wrong = await ran('two')
    await set().add(run, 'person', null, 'Ann')
    // Never right: it holds nothing up.
    await set().add(wrong.run, 'clear', null, 'Ann')
    const prompt = YARD.replace('Who is it?', 'Who is there?')
    await box.engine.save(prompt, { id })
    says = 'unsure'
    for (let time = 0; time < 2; time++)
      await expect(box.engine.setState(id, 'on')).rejects.toMatchObject({
        code: 'cases_flipped',
        message: expect.stringContaining('1 of its cases came out right before'),
        cases: { own: { flipped: 1, tried: [{ flipped: false, right: false }, { flipped: true }] } },
      })
    says = 'person'
    const switched = await box.engine.setState(id, 'on')
    expect(switched).toMatchObject({ state: 'on', cases: { own: { flipped: 0 } } })
  })

  test('goes with its workflow', async () => {
    const { id, run } = await ran('one')
    await set().add(run, 'person', null, 'Ann')
    await box.engine.remove(id, 'Ann')
    expect(box.store.cases.ofWorkflow(id)).toEqual([])
    expect(() => set().list(id)).toThrow(/no workflow/)
  })

  test('is taken along as a folder that an evaluation reads', async () => {
    const { id, run } = await ran('one')
    await set().add(run, 'clear', 'a scarecrow in the yard', 'Ann')
    const files = await Array.fromAsync(set().files(id, () => true, true))
    const yaml = new TextDecoder().decode(files.find(({ name }) => name === 'look/yard.yaml')?.bytes)
    const [one] = readCases(yaml, 'yard.yaml')
    expect(one).toMatchObject({
      suite: 'look',
      why: `run ${run}, a scarecrow in the yard`,
      prompt: 'Who is it?',
      decision: ['person', 'clear'],
      picture: 'yard-case-1.jpg',
      expect: { decision: 'clear' },
    })
    expect(files.map(({ name }) => name).sort()).toEqual(['look/yard.yaml', 'pictures/yard-case-1.jpg'])
    expect(await Array.fromAsync(set().files(id, () => false, true))).toEqual([])
  })

  test('is taken along without the facts of the site by whoever may not read them', async () => {
    const { id, run } = await ran('one')
    await set().add(run, 'clear', null, 'Ann')
    box.site = Site.load(`facts: The gate opens by 4711.\n${SITE}`, 'site.yaml')
    const said = async (facts: boolean) => {
      const files = await Array.fromAsync(set().files(id, () => true, facts))
      const text = files.map(({ name, bytes }) => `${name} ${new TextDecoder().decode(bytes)}`).join('\n')
      return [text.includes('4711'), text.includes('left-out.txt the facts of the site')]
    }
    expect([await said(true), await said(false)]).toEqual([
      [true, false],
      [false, true],
    ])
  })

  test('takes an investigation along with what its tools said, and says what it leaves out, and why', async () => {
    const { run } = await ran('one')
    await set().add(run, 'person', null, 'Ann')
    const [row] = box.store.cases.ofWorkflow(1)
    if (!row) throw new Error('there is one')
    const params = {
      mode: 'investigate',
      goal: 'Who is it?',
      decision: ['known', 'stranger'],
      tools: ['site_lookup'],
    }
    const said = {
      name: 'site_lookup',
      args: { value: 'AB 1' },
      status: 'ok',
      result: { in_lists: ['residents'] },
    }
    const failed = {
      name: 'site_lookup',
      args: { value: 'X' },
      status: 'failed',
      result: { message: 'it broke' },
    }
    const asked = { ...row, id: 7, expected: 'known', judged: { params, values: {}, tools: [said, failed] } }
    const words = {
      ...asked,
      id: 8,
      judged: { ...asked.judged, params: { ...params, decision: ['of the house', 'x'] } },
    }
    const frames = {
      ...row,
      id: 9,
      judged: { ...row.judged, params: { mode: 'look', input: { frames: { count: 3 } } } },
    }
    const files = await Array.fromAsync(
      filesOf('2nd-yard', [asked, words, frames], box.site.facts, async () => new Uint8Array(1)),
    )
    const text = (name: string) => new TextDecoder().decode(files.find(each => each.name === name)?.bytes)
    expect(readCases(text('investigate/nd-yard.yaml'), 'x')).toMatchObject([
      {
        id: 'nd-yard-case-7',
        goal: 'Who is it?',
        tools: ['site_lookup'],
        results: {
          site_lookup: [
            { when: { value: 'AB 1' }, result: { in_lists: ['residents'] } },
            { when: { value: 'X' }, error: 'it broke' },
          ],
        },
        expect: { decision: 'known' },
      },
    ])
    expect(text('left-out.txt').split('\n')).toEqual([
      expect.stringContaining('nd-yard-case-8: '),
      'nd-yard-case-9: it looks at several frames, or at part of a picture',
      '',
    ])
  })
})
