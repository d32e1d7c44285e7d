import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paintedOver } from '../../../src/connect/rtsp/record.ts'
import { canStream } from './rtsp.ts'

const MEGABYTE = 1024 * 1024

/** Runs ffmpeg; answers with the most memory that it had. */
async function ffmpeg(...args: string[]): Promise<number> {
  const child = Bun.spawn(['ffmpeg', '-nostdin', '-loglevel', 'error', '-y', ...args], { stderr: 'pipe' })
  const said = await new Response(child.stderr).text()
  expect([await child.exited, said]).toEqual([0, ''])
  return child.resourceUsage()?.maxRSS ?? Number.NaN
}

test.skipIf(!canStream)('a masked clip of the largest usual camera leaves room for the engine', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  try {
    const [from, to] = [join(dir, 'from.mp4'), join(dir, 'to.mp4')]
    const scene = ['-f', 'lavfi', '-i', 'testsrc2=size=3840x2160:rate=15', '-t', '1.5']
    await ffmpeg(...scene, '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', from)
    const { input, output } = paintedOver([
      [
        [0, 0],
        [0.5, 0],
        [0.5, 1],
      ],
    ])
    const most = await ffmpeg(...input, '-i', from, ...output, to)
    expect(most / MEGABYTE).toBeGreaterThan(50)
    expect(most / MEGABYTE).toBeLessThan(240)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
