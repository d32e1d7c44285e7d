import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { imageTrialIn } from '../../../src/box/update/image.ts'
import { UpdateWatch } from '../../../src/box/update/watch.ts'
import { noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { SlotBox } from '../../appliance/image-box.ts'
import { Box } from '../../engine/box.ts'

let box: Box
let slots: SlotBox
beforeEach(async () => {
  box = await new Box().start()
  slots = new SlotBox()
  mkdirSync(join(slots.data, 'trial'))
  writeFileSync(join(slots.data, 'trial/which'), 'slot=b\nimage=two\nfrom=a\n')
})
afterEach(async () => {
  rmSync(slots.dir, { recursive: true })
  await box.stop()
})

/** What people are told when the engine starts. */
async function told(): Promise<string[]> {
  const { store, clock, dir } = box
  const titles: string[] = []
  const tell = async ({ title, body }: { title: string; body: string }) =>
    void titles.push(`${title}. ${body}`)
  const watch = new UpdateWatch({
    ...{ dataDir: dir, site: () => new Site(), store, clock, log: noLog, tell },
    stateDir: slots.told,
  })
  await watch.start()
  await watch.stop()
  return titles
}

test('an image that did not start is told to people, once', async () => {
  expect(await told()).toEqual([])
  writeFileSync(join(slots.entries, 'gatehouse-b+0-3.conf'), '')
  await slots.ab(['begin'])
  expect(await told()).toEqual(['The system two did not start. one runs again. Ask whoever made it.'])
  expect(await told()).toEqual([])
})

test('so is one that was taken back, one that was not written whole, and one that stays', async () => {
  mkdirSync(join(slots.data, 'trial/before'))
  await slots.ab(['begin'])
  expect(await told()).toEqual([
    expect.stringContaining('The system two was taken back. It did not start well'),
  ])

  mkdirSync(join(slots.data, 'trial'))
  writeFileSync(join(slots.data, 'trial/which'), 'slot=b\nimage=three\nfrom=a\n')
  await slots.ab(['begin'])
  expect(await told()).toEqual([expect.stringContaining('three was not written whole')])

  mkdirSync(join(slots.data, 'trial'))
  writeFileSync(join(slots.data, 'trial/which'), 'slot=b\nimage=four\nfrom=a\n')
  writeFileSync(join(slots.entries, 'gatehouse-b+2-1.conf'), '')
  await slots.ab(['good'], { slot: 'b', image: 'four' })
  expect(await told()).toEqual(['The system four runs now. It was well and stays.'])
})

test.each([
  ['no JSON', '{'],
  ['something else', '[]'],
  ['a name that is none', '{"id":"1","outcome":"kept","image":"<b>","runs":"one"}'],
  ['too much', JSON.stringify({ id: '1', outcome: 'kept', image: 'a', runs: 'b', more: 'x'.repeat(5000) })],
])('%s is not told', (_, text) => {
  mkdirSync(slots.told)
  writeFileSync(join(slots.told, 'image.json'), text)
  expect(imageTrialIn(slots.told)).toBeNull()
})
