/**
 * The box that `restart.ts` kills: `bun restart-box.ts DIR PORT RUNS`. On a fresh folder it begins so many runs,
 * each of which tells or moves at PORT; on one that was left it takes up what is there. It ends by being killed.
 */
import { systemClock } from '../../src/core/index.ts'
import { bare, toThisMachine } from '../fixtures/bare.ts'

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
const SITE = `
cameras: { gate: { roles: [gate] } }
lists: { residents: ${JSON.stringify(plates.slice(0, 20))} }
destinations:
  chat: { url: "http://127.0.0.1:${port}/chat", class: tell }
  barrier: { url: "http://127.0.0.1:${port}/barrier", class: move }
`
const { engine } = await bare(dir, SITE, {
  outgoing: site => toThisMachine(dir, () => site, 60_000),
  options: { mostRuns: 10_000 },
})
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
