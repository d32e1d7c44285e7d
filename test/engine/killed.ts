/**
 * A box that a test kills: `bun killed.ts DIR PORT start|resume`. It sends to PORT for real. `start` offers one
 * event; `resume` takes up what is left, prints how its runs ended and exits.
 */
import { systemClock } from '../../src/core/index.ts'
import { bare, toThisMachine } from '../fixtures/bare.ts'

const WORKFLOW = `
contract: workflow.v1
name: Open for residents
state: on
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      - webhook: { to: chat, json: "{plate} is here" }
      - webhook: { to: barrier, json: open }
      - webhook: { to: chat, json: opened }
always:
  - webhook: { to: chat, json: end }
`

const [dir = '', port = '', what] = process.argv.slice(2)
const SITE = `
cameras: { gate: { roles: [gate] } }
lists: { residents: [B-AB 123] }
destinations:
  chat: { url: "http://127.0.0.1:${port}/chat", class: tell }
  barrier: { url: "http://127.0.0.1:${port}/barrier", class: move }
`
const { store, engine, stop } = await bare(dir, SITE, { outgoing: site => toThisMachine(dir, () => site) })

if (what === 'start') {
  const saved = await engine.save(WORKFLOW)
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  const [admission] = await engine.submit({
    kind: 'event',
    id: 'evt_1',
    at: systemClock.now(),
    cameraId: 'gate',
    schema: 'plate.recognized.v1',
    source: 'plates',
    severity: null,
    payload: { plate_text: 'B-AB 123', confidence: 0.99 },
    correlationId: null,
    chain: [],
    by: null,
    workflowId: null,
    pictures: [],
  })
  console.log(JSON.stringify(admission))
  // It ends by being killed, and in no other way.
  setInterval(() => {}, 60_000)
} else {
  await Promise.all(engine.runs({ limit: 10 }).map(({ id }) => engine.settled(id, 20_000)))
  // What was promised for later: messages that are sent again.
  while (store.due.all().length) await Bun.sleep(20)
  const views = engine.runs({ limit: 10 }).flatMap(({ id }) => engine.run(id) ?? [])
  const intents = views.flatMap(({ id }) => store.intents.ofRun(id).map(({ status }) => status))
  console.log(JSON.stringify({ views, intents, notices: store.notices.list({ limit: 10 }) }))
  await stop()
}
