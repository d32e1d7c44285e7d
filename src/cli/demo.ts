import { copyFile, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Appliance } from '../app.ts'
import type { Resources } from '../box/resources.ts'
import { mintId, type Picture, systemClock } from '../core/index.ts'
import type { RunView } from '../engine/index.ts'
import { readBytes, readText } from './command.ts'

/** What a box without cameras begins with: two folders as cameras, so that the main thing can be seen at once. */
const siteFile = `# This site. What is changed here counts a moment later, while the box runs; with an error in it, what was in force
# stays, and the page says why.
cameras:
  yard:
    name: Yard
    roles: [yard]
    # A folder as a camera: a JPEG, PNG or WebP that is dropped into it is a picture of this camera.
    # A real one: source: { snapshot: "http://192.168.1.20/snapshot.jpg" }
    source: { folder: pictures/yard }
  gate:
    name: Gate
    roles: [gate]
    source: { folder: pictures/gate }
people:
  guard: { name: Guard, roles: [guard] }
lists:
  # Plates that the gate concierge does not ask about.
  residents: [AB12CDE]
destinations:
  # What opens the gate: a relay or a controller with an address of its own. Nothing is sent to it while the
  # workflow is in Test.
  gate: { url: "http://gate.local/open", class: move }
`

const workflows = ['yard-watch.yaml', 'gate-concierge.yaml']
const yardSample = 'person.jpg'
const gateSample = 'gate-van-dhl.jpg'

/** Longest that the first decision is waited for: a slow box loads its models from a slow disk. */
const PATIENCE_MS = 120_000

/** Writes the demo's site file and its camera folders; answers with the site file's path. */
export async function makeDemoSite(dataDir: string): Promise<string> {
  for (const camera of ['yard', 'gate']) {
    await mkdir(join(dataDir, 'pictures', camera), { recursive: true, mode: 0o700 })
  }
  const path = join(dataDir, 'site.yaml')
  await writeFile(`${path}.part`, siteFile, { mode: 0o600 })
  await rename(`${path}.part`, path)
  return path
}

/** Whether this is the demo's site file, as it was written. */
export function isDemoSite(text: string): boolean {
  return text === siteFile
}

/** Stores the demo's workflows and lets each decide once about a sample picture. */
export async function playDemo(
  appliance: Appliance,
  resources: Resources,
  dataDir: string,
): Promise<RunView[]> {
  for (const file of workflows) {
    // A former start was cut short before the first run.
    if (appliance.engine.workflow(file.replace('.yaml', ''))) continue
    await appliance.engine.save(await readText(join(resources.templates, file)), { file })
  }
  const samples = join(resources.templates, 'cases', 'pictures')
  const gate = {
    bytes: await readBytes(join(samples, gateSample)),
    takenAt: systemClock.now(),
    source: gateSample,
  }
  const began = await plateRead(appliance, gate)
  await copyFile(join(samples, yardSample), join(dataDir, 'pictures', 'yard', yardSample))
  const yard = await firstRun(appliance, 'yard-watch')
  return await Promise.all([...began, ...yard].map(id => appliance.engine.settled(id, PATIENCE_MS)))
}

async function plateRead(appliance: Appliance, picture: Picture): Promise<number[]> {
  const admissions = await appliance.engine.submit({
    kind: 'event',
    id: mintId('evt'),
    at: systemClock.now(),
    cameraId: 'gate',
    schema: 'plate.recognized.v1',
    source: 'demo',
    severity: null,
    payload: { plate_text: 'GH26DEMO', confidence: 0.97, vehicle_label: 'van' },
    correlationId: null,
    chain: [],
    by: null,
    workflowId: null,
    pictures: [picture],
  })
  return admissions.flatMap(({ run }) => (run === null ? [] : [run]))
}

/** The run that the dropped picture starts, as soon as it has begun. */
async function firstRun(appliance: Appliance, slug: string): Promise<number[]> {
  const until = systemClock.now() + PATIENCE_MS
  while (systemClock.now() < until) {
    const run = appliance.engine.workflow(slug)?.last_run
    if (run) return [run.id]
    await new Promise<void>(resolve => systemClock.after(100, resolve))
  }
  return []
}
