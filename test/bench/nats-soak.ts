/**
 * A million messages of NATS: resident memory has to stay flat. Of ten, one starts a run, six a condition keeps out, two
 * are repeats and one is no event. `SOAK_MESSAGES` makes it shorter or longer; a line each ten seconds says how it goes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@nats-io/transport-node'
import { type Measure, measured } from './measure.ts'
import { natsBox, PLATE, plateMessage } from './nats-box.ts'

const MESSAGES = Number(process.env.SOAK_MESSAGES) || 1_000_000
const AT_ONCE = 500
/** What a process has taken by now it has taken for good: growth counts from here. */
const WARM = 0.2
const TELL_MS = 10_000

export async function bench(): Promise<Measure[]> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-nats-soak-'))
  const box = await natsBox(dir, () => {})
  const line = await connect({ servers: box.url })
  try {
    const began = performance.now()
    let [sent, told] = [0, began]
    let warm: number | null = null
    while (sent < MESSAGES) {
      for (let i = 0; i < AT_ONCE; i++) line.publish(PLATE, message(sent++))
      await line.flush()
      await box.until(sent)
      if (warm === null && sent > WARM * MESSAGES) warm = resident()
      if (performance.now() < told + TELL_MS) continue
      told = performance.now()
      const rate = Math.round((sent / (told - began)) * 1_000)
      console.error(
        `${sent} messages, ${rate} a second, ${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`,
      )
    }
    const growth = (resident() - (warm ?? 0)) / 2 ** 20
    return [
      measured('nats-soak.growth', growth, 'MB', { atMost: 32 }),
      measured('nats-soak.messages', box.nats.received, 'messages', { atLeast: MESSAGES }),
      measured('nats-soak.runs', box.engine.runs({ limit: 1 })[0]?.id ?? 0, 'runs', {
        atLeast: MESSAGES / 10,
      }),
    ]
  } finally {
    await line.close()
    await box.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

function message(n: number): string {
  const kind = n % 10
  if (kind === 0) return plateMessage(n)
  if (kind === 1) return '{"schema":"plate.recognized.v1","payload":{"plate_text":'
  if (kind < 4) return plateMessage(n - kind)
  return plateMessage(n, { plate_text: 'RESIDENT' })
}

function resident(): number {
  Bun.gc(true)
  return process.memoryUsage().rss
}
