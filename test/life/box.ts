/**
 * The whole box in quicker time: `bun box.ts DIR CLOCK`. It is as `gatehouse up` makes it but for its clock, and is
 * reached by the socket in its data folder `DIR/data`, its page by `DIR/page.sock`. Ends by SIGTERM, or by being killed.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Appliance } from '../../src/app.ts'
import { resources } from '../../src/box/resources.ts'
import { createLog } from '../../src/core/index.ts'
import { Site } from '../../src/site/index.ts'
import { FastClock } from './fast-clock.ts'

const [dir = '', clock = ''] = process.argv.slice(2)
const file = join(dir, 'data', 'site.yaml')
const text = readFileSync(file, 'utf8')
const box = new Appliance({
  dataDir: join(dir, 'data'),
  resources: resources(),
  site: Site.load(text, file),
  siteFile: { file, text },
  log: createLog('error'),
  clock: FastClock.of(clock),
  port: 0,
})
const { url } = await box.start()
const { port } = new URL(url ?? '')
rmSync(join(dir, 'page.sock'), { force: true })
// The page's address, for whoever is not in this network.
Bun.listen<{ peer: Promise<Bun.Socket> }>({
  unix: join(dir, 'page.sock'),
  socket: {
    open(socket) {
      const peer = Bun.connect({
        hostname: '127.0.0.1',
        port: Number(port),
        socket: {
          data: (_, bytes) => void socket.write(bytes),
          close: () => void socket.end(),
        },
      })
      socket.data = { peer }
    },
    data: async (socket, bytes) => void (await socket.data.peer).write(bytes),
    close: async socket => void (await socket.data.peer).end(),
  },
})
console.log('up')
process.on('SIGTERM', () => {
  box.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  )
})
