/** A life in two networks with one cable between them, and everything that the box has sent over it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Namespaces, type Packet } from '../egress/namespaces.ts'
import type { LifeOptions, LifeReport } from './life.ts'

/** Where the site's servers are. */
const HOST = '10.213.8.20'

export interface Lived {
  report: LifeReport
  /** Look-ups of names and packets to places that the site does not list. */
  astray: string[]
  /** All that was sent. */
  packets: number
}

/** Needs what `canSeparate` and `hasServers` look for. Throws with what was said where the life was cut short. */
export async function liveApart(
  options: Pick<LifeOptions, 'hours' | 'speed' | 'seed'>,
  say: (line: string) => void = () => {},
): Promise<Lived> {
  const dir = mkdtempSync(join(tmpdir(), 'gatehouse-life-'))
  const net = new Namespaces()
  try {
    await net.start([HOST])
    const prefix = ['ip', 'netns', 'exec', net.box]
    const given: LifeOptions = { ...options, dir, host: HOST, prefix }
    const main = join(import.meta.dirname, 'main.ts')
    const child = net.spawn('gateway', [process.execPath, main, JSON.stringify(given)])
    const [report, wrong] = await Promise.all([
      lastLine(child.stdout, say),
      new Response(child.stderr).text(),
    ])
    if ((await child.exited) !== 0 || !report.startsWith('{')) throw new Error(wrong || report)
    return { report: JSON.parse(report), ...judged(net.packets) }
  } finally {
    await net.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

function judged(packets: readonly Packet[]): Pick<Lived, 'astray' | 'packets'> {
  const astray = packets.filter(({ to, asks }) => to !== HOST || asks !== null)
  return { packets: packets.length, astray: astray.map(({ line }) => line) }
}

async function lastLine(stream: ReadableStream<Uint8Array>, say: (line: string) => void): Promise<string> {
  let [text, last] = ['', '']
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    text += decoder.decode(bytes, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('{')) say(line)
      last = line
    }
  }
  return last
}
