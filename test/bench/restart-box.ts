/**
 * The box that `restart.ts` kills: `bun restart-box.ts DIR PORT RUNS`. On a fresh folder it begins so many runs,
 * each of which tells or moves at PORT; on one that was left it takes up what is there. It ends by being killed.
 */
import { join } from 'node:path'
import { FileSecrets, HttpOutgoing } from '../../src/connect/index.ts'
import { Bus, noLog, systemClock } from '../../src/core/index.ts'
import { Engine, type EngineTopics } from '../../src/engine/index.ts'
import { Site, SiteMode } from '../../src/site/index.ts'
import { MediaFiles, Store } from '../../src/store/index.ts'

const [dir = '', port = '', runs = '0', to = 'chat'] = process.argv.slice(2)

const act = `webhook: { to: ${to}, json: "{plate}" }`
const guarded = `if: [ in_list: { list: residents, value: "{plate}" } ]
    then: [ ${act} ]`
const WORKFLOW = `
contract: workflow.v1
name: In flight
state: on
limits: { cooldown: 0s, one_at_a_time: plate, per_hour: 1000000 }
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - ${to === 'barrier' ? guarded : act}
  - log: done
`
const plates = Array.from({ length: Number(runs) }, (_, i) => `B-XY ${i}`)
const site = Site.load(
  `
cameras: { gate: { roles: [gate] } }
lists: { residents: ${JSON.stringify(plates.slice(0, 20))} }
destinations:
  chat: { url: "http://127.0.0.1:${port}/chat", class: tell }
  barrier: { url: "http://127.0.0.1:${port}/barrier", class: move }
`,
  join(dir, 'site.yaml'),
)
const store = new Store({ dir, clock: systemClock })
store.start()
const engine = new Engine({
  store,
  media: new MediaFiles(dir),
  clock: systemClock,
  log: noLog,
  bus: new Bus<EngineTopics>(noLog),
  site: () => site,
  look: () => Promise.reject(new Error('no step looks')),
  outgoing: new HttpOutgoing({
    site: () => site,
    secrets: new FileSecrets(dir),
    ownPorts: () => [],
    clock: systemClock,
    // The destination stands on this box; a real box moves nothing on itself.
    isOwn: () => false,
    timeoutMs: 60_000,
  }),
  cameras: { snapshot: () => Promise.reject(new Error('no step asks a camera')) },
  siteMode: new SiteMode(store, () => site),
  options: { mostRuns: 10_000 },
})
await engine.start()
if (!engine.workflows().length) {
  const saved = await engine.save(WORKFLOW)
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  for (const [n, plate] of plates.entries()) {
    engine
      .submit({
        kind: 'event',
        id: `evt_${n}`,
        at: systemClock.now(),
        cameraId: 'gate',
        schema: 'plate.recognized.v1',
        source: 'plates',
        severity: null,
        payload: { plate_text: plate, confidence: 0.99 },
        correlationId: null,
        chain: [],
        by: null,
        workflowId: null,
        pictures: [],
      })
      .then(([admission]) => {
        if (!admission?.run) throw new Error(admission?.reason?.message ?? 'no run')
      })
  }
}
setInterval(() => {}, 60_000)
