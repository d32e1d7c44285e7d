/** Stores one picture: `bun pictures.ts DIR once|twice`; of two it prints which was acknowledged first. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { MediaFiles } from '../../src/store/index.ts'

const [dir = '', what] = process.argv.slice(2)
const files = new MediaFiles(dir)
await files.start()
const bytes = new TextEncoder().encode('hello')
if (what === 'once') {
  await files.put(bytes)
  console.log('stored')
} else {
  const order: string[] = []
  const hash = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  const first = files.put(bytes).then(() => order.push('first'))
  while (!existsSync(join(dir, 'media', hash.slice(0, 2), hash))) await Bun.sleep(1)
  await Promise.all([first, files.put(bytes).then(() => order.push('second'))])
  console.log(order.join(' '))
}
