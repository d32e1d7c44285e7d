/** A detector with 200 cameras: `bun detector.ts PORT SECONDS` publishes what it sees, five times a second. */
import { connect } from '@nats-io/transport-node'

export const CAMERAS = 200
export const PER_SECOND = 5
const THINGS = 6

/** Things cross the picture at different speeds, each a new one when it is through. */
export function message(camera: number, n: number, at: number): Uint8Array {
  const tracks = Array.from({ length: THINGS }, (_, thing) => {
    const way = n * (3 + thing * 2) + camera * 17
    const x = way % 1900
    return {
      id: Math.floor(way / 1900) * THINGS + thing,
      label: thing % 3 === 2 ? 'car' : 'person',
      score: 0.8731,
      box: [x, 300 + thing * 60, x + 80, 520 + thing * 60],
      stationary: thing === 5,
      best: true,
      matched: thing % 4 !== 1,
      misses: n % 7 === thing ? 1 : 0,
      since_match_s: 0.2,
    }
  })
  const whole = {
    schema: 'opennvr.tier0.v1',
    adapter: 'tier0',
    camera_id: `cam-${camera}`,
    seq: n,
    ts: n / 5,
    wall_ts: at / 1000,
    frame: { w: 1920, h: 1080 },
    calibrating: false,
    tracks,
  }
  return new TextEncoder().encode(JSON.stringify(whole))
}

if (import.meta.main) {
  const [port = '', seconds = ''] = process.argv.slice(2)
  const nats = await connect({ servers: `127.0.0.1:${port}` })
  for (let n = 0; n < Number(seconds) * PER_SECOND; n++) {
    const next = performance.now() + 1000 / PER_SECOND
    for (let camera = 0; camera < CAMERAS; camera++)
      nats.publish(`opennvr.inference.tier0.cam-${camera}.completed`, message(camera, n, Date.now()))
    await nats.flush()
    await Bun.sleep(Math.max(0, next - performance.now()))
  }
  await nats.close()
}
