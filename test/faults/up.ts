/**
 * The appliance as `gatehouse up` starts it: `bun up.ts DIR`. What it moves may stand on this machine, so that a test
 * can be the barrier. SIGTERM ends it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { createLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { toThisMachine } from '../fixtures/bare.ts'

const [dir = ''] = process.argv.slice(2)
const file = join(dir, 'site.yaml')
const text = readFileSync(file, 'utf8')
const site = Site.load(text, file)
const appliance: Appliance = new Appliance({
  dataDir: dir,
  resources: resources(),
  site,
  siteFile: { file, text },
  log: createLog('fatal'),
  outgoing: toThisMachine(dir, () => appliance.rules.site),
  port: 0,
})
const stopped = new Promise<void>(resolve => process.once('SIGTERM', resolve))
try {
  const { url } = await appliance.start()
  console.log(`up: ${url}`)
  await stopped
  await appliance.stop()
} catch {
  process.exitCode = 1
}
