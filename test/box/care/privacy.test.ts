import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Privacy } from '../../../src/box/care/privacy.ts'
import type { Status } from '../../../src/box/update/status.ts'
import { UpdateWatch } from '../../../src/box/update/watch.ts'
import { noLog } from '../../../src/core/index.ts'
import { Site } from '../../../src/site/index.ts'
import { Box } from '../../engine/box.ts'

let box: Box
beforeEach(async () => {
  box = await new Box({ keep: { restMs: 0 } }).start()
})
afterEach(() => box.stop())

/** The updater says that it is at a step. */
const says = (step: NonNullable<Status['underway']>['step']) =>
  writeFileSync(
    join(box.dir, 'status.json'),
    JSON.stringify({ underway: { to: '9.9.9-linux-x64', step, percent: 40 } }),
  )

test('while a release is on trial nothing is forgotten that would come back with its database', async () => {
  const { store, clock, dir } = box
  const updates = new UpdateWatch({
    ...{ dataDir: dir, site: () => new Site(), store, clock, log: noLog, tell: async () => undefined },
    stateDir: dir,
  })
  const privacy = new Privacy({
    ...{ dataDir: dir, engine: () => box.engine, copy: async () => null, log: null },
    onTrial: () => updates.onTrial,
  })
  const before = join(dir, 'update/before.db')
  mkdirSync(join(dir, 'update'))
  writeFileSync(before, 'as it was')
  for (const step of ['switching', 'watching', 'back'] as const) {
    says(step)
    await expect(privacy.forget({ plate: 'B-QX 4711' }, 'Ann')).rejects.toMatchObject({
      ...{ code: 'on_trial', message: expect.stringContaining('9.9.9') },
    })
  }
  expect(existsSync(before)).toBe(true)
  says('fetching')
  expect(await privacy.forget({ plate: 'B-QX 4711' }, 'Ann')).toMatchObject({ copies: 1, clean: true })
  expect(existsSync(before)).toBe(false)
})
