import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { release } from 'node:os'
import { join } from 'node:path'
import { pack } from 'tar-stream'
import { iso, type LogLine, logText, messageOf } from '../../core/index.ts'
import type { RunView } from '../../engine/index.ts'
import { copiesIn } from '../../store/index.ts'
import { startsIn } from '../starts.ts'
import { version } from '../version.ts'
import { type Private, scrubber } from './scrub.ts'
import { runSkeleton, siteSkeleton, workflowSkeleton } from './skeletons.ts'

/** What a file for whoever helps is made of; what is not known of a box that is not up is left out. */
export interface BundleParts extends Private {
  dataDir: string
  now: number
  checkup: unknown
  health?: unknown
  hardware?: unknown
  machine?: unknown
  workflows?: readonly { slug: string; yaml: string }[]
  runs?: readonly RunView[]
  log?: readonly LogLine[]
}

const README = `This file was made by Gatehouse for whoever helps with a box. In it:

  checkup.json     what the box says of itself, and what it advises
  versions.json    of the program, of what it runs on, and of the machine
  hardware.json    what the machine is; health.json and machine.json: how it is
  site.yaml        what the site has, and how it hangs together
  workflows/       the workflows, without comments
  runs.json        the last runs: which steps, when, and how they came out
  log.txt          the last lines of the log, from "info" up
  rescue.json      starts, copies and what was set aside
  units.txt        how systemd sees the services, where there is one

Left out: secrets, passwords, tokens, accounts and what stands behind the host in addresses; pictures; plates and other
entries of lists; names of people; facts and other free texts about the site; what steps were given and what they said.
What looks like a plate is taken out of every text, so that now and then a harmless word is missing. Look through it
before you send it: it is a tar archive, and everything in it is text.
`

/** Makes it: a tar archive, compressed. Everything in it goes through the same sieve. */
export async function makeBundle(parts: BundleParts): Promise<Uint8Array<ArrayBuffer>> {
  const clean = scrubber(parts)
  const archive = pack()
  const chunks: Uint8Array[] = []
  archive.on('data', chunk => chunks.push(chunk as Uint8Array))
  const ended = once(archive, 'end')
  for (const [name, text] of await filesOf(parts)) {
    const bytes = Buffer.from(name === 'README.txt' ? text : clean(text))
    // The engine has its turn between two.
    await new Promise<void>(resolve => setImmediate(resolve))
    archive.entry({ name: `gatehouse-support/${name}`, mode: 0o600, mtime: new Date(parts.now) }, bytes)
  }
  archive.finalize()
  await ended
  return Bun.gzipSync(Buffer.concat(chunks))
}

async function filesOf(parts: BundleParts): Promise<[string, string][]> {
  const { dataDir, now, checkup, health, hardware, machine, workflows = [], runs = [], log = [] } = parts
  const site = await readFile(join(dataDir, 'site.yaml'), 'utf8').catch(() => '')
  const versions = {
    gatehouse: version,
    bun: Bun.version,
    kernel: release(),
    arch: process.arch,
    at: iso(now),
  }
  const aside = await readdir(join(dataDir, 'damaged')).catch(() => [])
  const rescue = {
    starts: startsIn(dataDir),
    copies: copiesIn(dataDir).map(({ at }) => iso(at)),
    set_aside: aside,
  }
  return [
    ['README.txt', README],
    ['checkup.json', json(withoutPeople(checkup))],
    ['versions.json', json(versions)],
    ...(hardware === undefined ? [] : [named('hardware.json', hardware)]),
    ...(health === undefined ? [] : [named('health.json', health)]),
    ...(machine === undefined ? [] : [named('machine.json', machine)]),
    ['site.yaml', siteSkeleton(site)],
    ...workflows.map(({ slug, yaml }): [string, string] => [
      `workflows/${slug}.yaml`,
      workflowSkeleton(yaml),
    ]),
    ['runs.json', json(runs.map(runSkeleton))],
    ['log.txt', logText(log.filter(({ level }) => level !== 'debug'))],
    ['rescue.json', json(rescue)],
    ['units.txt', await units()],
  ]
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const named = (name: string, value: unknown): [string, string] => [name, json(value)]

/** Of whoever is told only what channels they have. */
function withoutPeople(checkup: unknown): unknown {
  const { report, ...rest } = (checkup ?? {}) as { report?: { people?: object[] } | null }
  if (!report) return checkup
  const people = (report.people ?? []).map(each => ({ ...each, name: '(person)' }))
  return { ...rest, report: { ...report, people } }
}

const SHOWN = [
  ...['ActiveState', 'SubState', 'Result', 'NRestarts', 'ExecMainStatus', 'ExecMainStartTimestamp'],
  ...['MemoryCurrent', 'MemoryPeak', 'CPUUsageNSec', 'TasksCurrent'],
]

/** How systemd sees the services; a line that says so where there is none. */
async function units(): Promise<string> {
  try {
    await readdir('/run/systemd/system')
    const flags = SHOWN.map(each => `--property=${each}`)
    const names = ['gatehouse.service', 'gatehouse-inference.service']
    const child = Bun.spawn(['systemctl', 'show', '--no-pager', '--property=Id', ...flags, ...names], {
      ...{ stdin: 'ignore', stdout: 'pipe', stderr: 'ignore', timeout: 5_000 },
    })
    return await new Response(child.stdout).text()
  } catch (error) {
    return `There is no systemd here (${messageOf(error)}).\n`
  }
}
