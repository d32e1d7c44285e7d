import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Box } from './box.ts'

test('an event that finds the disk full is answered, and taken when there is room again', async context => {
  const box = new Box()
  mkdirSync(box.dir, { recursive: true })
  if (!Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', box.dir]).success)
    return context.skip()
  onTestFinished(async () => {
    await box.engine.stop()
    box.store.stop()
    Bun.spawnSync(['umount', '-l', box.dir])
    rmSync(box.dir, { recursive: true, force: true })
  })
  await box.start()
  const id = await box.save(
    'contract: workflow.v1\nname: W\nstate: on\nwhen: { webhook: {} }\nthen: [ log: x ]',
  )
  const filler = join(box.dir, 'filler')
  let event = box.hook(id)
  const send = () => {
    event = box.hook(id, { text: 'x'.repeat(30_000) }, 'gate')
    box.clock.advance(10 * 60_000)
    event.at = box.clock.now()
    return box.engine.submit(event)
  }
  try {
    writeFileSync(filler, new Uint8Array(2_000_000))
  } catch {
    // As much as fits.
  }
  let failure: unknown
  for (let i = 0; i < 60 && !failure; i++) await send().catch(error => (failure = error))
  expect(failure).toMatchObject({ code: 'disk_full', status: 507 })
  rmSync(filler)
  // The very same event, neither taken for a repeat nor kept out by the run that never was.
  const [again] = await box.engine.submit(event)
  expect(again?.reason ?? null).toBeNull()
  expect((await box.ended(again?.run ?? 0)).status).toBe('done')
})
