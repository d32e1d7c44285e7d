/**
 * A message of NATS until its run is a row on the disk, at 300 a second: from another process over a real server, through
 * the driver, admission and the commit.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Measure, measured } from './measure.ts'
import { natsBox, natsServer } from './nats-box.ts'

const RATE = 300
const WARM = 900
const MESSAGES = 6_000

export async function bench(): Promise<Measure[]> {
  if (!natsServer()) {
    console.error('nats: skipped, for want of nats-server (on Debian: apt-get install nats-server)')
    return []
  }
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-nats-'))
  const took: number[] = []
  const box = await natsBox(dir, ({ payload }) => {
    took.push(performance.timeOrigin + performance.now() - Number(payload.sent))
  })
  try {
    const how = [box.url, String(RATE), String(WARM + MESSAGES)]
    const publisher = Bun.spawn([process.execPath, join(import.meta.dirname, 'nats-publisher.ts'), ...how], {
      stdout: 'inherit',
      stderr: 'inherit',
    })
    if ((await publisher.exited) !== 0) throw new Error('the publisher failed')
    await box.until(WARM + MESSAGES)
    const sorted = took.slice(WARM).toSorted((a, b) => a - b)
    const at = (share: number) =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
    return [
      measured('nats.run_p50', at(0.5), 'ms', { atMost: 20 }),
      measured('nats.run_p99', at(0.99), 'ms', { atMost: 20 }),
      measured('nats.runs', box.engine.runs({ limit: 1 })[0]?.id ?? 0, 'runs', { atLeast: WARM + MESSAGES }),
    ]
  } finally {
    await box.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
