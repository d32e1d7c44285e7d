/**
 * A box that a test kills while it investigates: `bun investigating.ts DIR PORT start|resume|answer`. Its language
 * model is a server at PORT. `start` offers one event; `answer` answers what is asked; both and `resume` then let the
 * run end and print it.
 */
import { OpenAiModel } from '../../src/ai/index.ts'
import { FileSecrets, SiteHttp } from '../../src/connect/index.ts'
import { systemClock } from '../../src/core/index.ts'
import { bare } from '../fixtures/bare.ts'

const WORKFLOW = `
contract: workflow.v1
name: Who is there
when: { event: { schema: plate.recognized.v1, cameras: [gate] } }
then:
  - ai:
      mode: investigate
      goal: Find out whose {plate} is.
      tools: [recent_plates, ask_person]
      decision: [known, stranger]
      known: [ log: "{reason}" ]
      stranger: [ log: "{reason}" ]
      unsure: [ log: "{reason}" ]
`

const [dir = '', port = '', what] = process.argv.slice(2)
const clock = systemClock
const { store, engine, stop } = await bare(
  dir,
  `
cameras: { gate: { roles: [gate] } }
destinations: { llm: { url: "http://127.0.0.1:${port}/v1", class: read } }
language: { destination: llm, api: openai, model: tiny }
`,
  {
    language: site => {
      const http = new SiteHttp({
        site: () => site,
        secrets: new FileSecrets(dir),
        ownPorts: () => [],
        clock,
      })
      return {
        named: true,
        model: new OpenAiModel({ http, clock, destination: 'llm', model: 'tiny', sees: false }),
      }
    },
  },
)
if (what === 'start') {
  const saved = await engine.save(WORKFLOW)
  if (!saved.ok) throw new Error(JSON.stringify(saved.problems))
  await engine.setState(saved.workflow.id, 'on')
  const [admission] = await engine.submit({
    ...{ kind: 'event', id: 'evt_1', at: clock.now(), cameraId: 'gate', schema: 'plate.recognized.v1' },
    ...{ source: 'plates', severity: null, payload: { plate_text: 'B-AB 123', confidence: 0.99 } },
    ...{ correlationId: null, chain: [], by: null, workflowId: null, pictures: [] },
  })
  console.log(JSON.stringify(admission))
  // It ends by being killed, and in no other way.
  setInterval(() => {}, 60_000)
} else {
  const [question] = engine.approvals({ open: true })
  if (what === 'answer') await engine.answer(question?.id ?? 0, 'Yes', { by: 'session', name: 'Ann' })
  const run = await engine.settled(1, 20_000)
  console.log(JSON.stringify({ run, question, due: store.due.all() }))
  await stop()
}
