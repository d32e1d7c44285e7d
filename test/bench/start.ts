/** How soon the binary answers, and what it takes while it idles, against the least that a program of its kind is. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, freshBundle, natives, Running } from '../e2e/bundle.ts'
import { type Measure, measured, median } from './measure.ts'

const starts = 9
/** Under 100 ms where the least takes 22. */
const slowestStart = 4.5
const mostIdleMb = 80
/** Of all its processes together. */
const mostWholeMb = 400
/** Of a first start: one for each of its workflows. */
const demoRuns = 2
/** Long enough for what a start leaves behind to be collected. */
const idleMs = 5000

export async function bench(): Promise<Measure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-start-'))
  try {
    const gatehouse = join(await freshBundle(), 'gatehouse')
    const least = join(folder, 'floor')
    await buildFloor(least)
    const data = join(folder, 'data')
    const ours = (port: number) => [gatehouse, 'up', '--port', String(port), '--data', data, '--no-demo']
    const theirs = (port: number) => [least, String(port), folder]
    // The first start makes the data folder and fills the page cache: not what is measured.
    await startOnce(ours, folder)
    await startOnce(theirs, folder)
    const mine: number[] = []
    const bare: number[] = []
    for (let n = 0; n < starts; n++) {
      mine.push(await startOnce(ours, folder))
      bare.push(await startOnce(theirs, folder))
    }
    const { wholeMb, residentMb, mapped } = await idle(gatehouse, folder)
    return [
      measured('cold start to the first /health', median(mine), 'ms', { atMost: slowestStart }, median(bare)),
      measured('memory of the whole box, detector and OCR loaded', wholeMb, 'MB', { atMost: mostWholeMb }),
      measured('idle memory of the engine process', residentMb, 'MB', { atMost: mostIdleMb }),
      measured('native libraries in the engine process', mapped, 'files', { atMost: 0 }),
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function buildFloor(outfile: string): Promise<void> {
  await Bun.build({
    entrypoints: [join(import.meta.dirname, 'start-floor.ts')],
    target: 'bun',
    format: 'esm',
    minify: true,
    bytecode: true,
    compile: { outfile, autoloadDotenv: false, autoloadBunfig: false },
  })
}

async function startOnce(command: (port: number) => string[], cwd: string): Promise<number> {
  const port = await freePort()
  const running = new Running(command(port), port, { cwd })
  const ms = await running.healthy()
  await running.stop()
  return ms
}

/** A first start, after the demo's workflows have judged their pictures and somebody has looked at the page. */
async function idle(gatehouse: string, folder: string) {
  const port = await freePort()
  const command = [gatehouse, 'up', '--port', String(port), '--data', join(folder, 'demo')]
  const running = new Running(command, port, { cwd: folder })
  const text = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text()
  try {
    await running.healthy()
    await text('/')
    for (let tries = 0; (await text('/api/v1/runs')).split('"status":"done"').length <= demoRuns; tries++) {
      if (tries > 300) throw new Error('the demo made no decision')
      await Bun.sleep(200)
    }
    const wholeMb = running.wholeMb()
    await Bun.sleep(idleMs)
    return {
      wholeMb,
      residentMb: running.residentMb(),
      mapped: running.mapped().filter(path => natives.test(path)).length,
    }
  } finally {
    await running.stop()
  }
}
