/** Publishes plates at a rate: URL, messages a second, how many. Each says when it was sent. */
import { connect } from '@nats-io/transport-node'
import { PLATE, plateMessage } from './nats-box.ts'

const [url = '', rate = '', count = ''] = process.argv.slice(2)
const line = await connect({ servers: url })
const began = performance.now()
for (let n = 0; n < Number(count); n++) {
  const due = began + (n * 1_000) / Number(rate)
  while (performance.now() < due) await Bun.sleep(Math.max(0, due - performance.now()))
  line.publish(PLATE, plateMessage(n, { sent: performance.timeOrigin + performance.now() }))
}
await line.drain()
