import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/core/index.ts'
import { temporaryFolder } from '../connect/helpers.ts'
import { startBox, workflowView } from '../web/box.ts'
import { hasBrowser, openBrowser, violations } from './browser.ts'

/** A clip as the box records it: H.264, its head before its pictures. */
async function recorded(): Promise<Uint8Array> {
  const file = join(temporaryFolder(), 'clip.mp4')
  const args = [
    '-hide_banner',
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    'testsrc=s=320x240:r=10',
    '-t',
    '3',
  ]
  const encode = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-movflags', '+faststart', file]
  await Bun.spawn(['ffmpeg', ...args, ...encode]).exited
  return new Uint8Array(await Bun.file(file).arrayBuffer())
}

test.skipIf(!hasBrowser || !Bun.which('ffmpeg'))(
  'a clip is played on the page of its run, and can be downloaded',
  async () => {
    const box = await startBox(0, systemClock)
    const browser = await openBrowser()
    onTestFinished(async () => {
      await browser.close()
      await box.stop()
    })
    const gate = workflowView(1, { name: 'Gate' })
    box.engine.all.set(1, gate)
    const bytes = await recorded()
    box.pictures.set(7, { bytes, type: 'video/mp4' })
    const clip = { step: 0, type: 'video/mp4', taken_at: new Date().toISOString(), source: 'camera gate' }
    const clips = [
      { ...clip, media: 7, bytes: bytes.byteLength },
      { ...clip, media: 8, bytes: 12_000_000, source: 'camera yard' },
    ]
    const run = box.engine.add(gate, { view: { clips } })
    const page = await browser.newPage()
    page.setDefaultTimeout(15_000)
    const complaints: string[] = []
    page.on('pageerror', error => complaints.push(error.message))
    await page.goto(`http://localhost:${box.port}/runs/${run.id}`)
    const [duration, place] = await page
      .locator('video')
      .first()
      .evaluate(async video => {
        const film = video as HTMLVideoElement
        await film.play()
        film.currentTime = 2
        await new Promise(resolve => film.addEventListener('seeked', resolve, { once: true }))
        return [film.duration, Math.floor(film.currentTime)]
      })
    expect([duration, place]).toEqual([3, 2])
    await page.getByText('This browser cannot play it').waitFor()
    expect(await page.getByRole('link', { name: 'Download, 12 MB' }).count()).toBe(1)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Download, 0\.\d MB$/ }).click(),
    ])
    expect(download.suggestedFilename()).toBe('clip-7.mp4')
    expect(new Uint8Array(await Bun.file(await download.path()).arrayBuffer())).toEqual(bytes)
    expect(await violations(page)).toEqual([])
    expect(complaints).toEqual([])
  },
)
