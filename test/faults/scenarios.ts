/** What the struck boxes are doing: together they run every kind of step that this version carries out. */
import type { Decision, LanguageModel } from '../../src/ai/index.ts'
import type { IncomingEvent, JsonValue } from '../../src/core/index.ts'
import { decision } from '../engine/box.ts'

export interface Scenario {
  name: string
  /** The file, without its head. */
  file: string
  /** What happens, in order; each is offered once the one before was taken in. */
  events: Partial<IncomingEvent>[]
  /** How the Look of a picture, by its prompt, comes out. */
  looks?: Record<string, Partial<Decision>>
  /** What the language model says to an investigation: its calls in order, then its decision. */
  investigates?: { calls: JsonValue[]; decision: JsonValue }
  /** What somebody answers to every question. */
  reply?: string
  /** What comes of every call to a person. */
  called?: 'line' | 'dead'
  /** Moves are paused when it begins; somebody then has the held one made, or ends the pause. */
  paused?: 'release' | 'unpause'
  /** What somebody does to each run: waiting ones are stopped, or unknown ones settled. */
  does?: 'stop' | 'settle'
  /** Another workflow of the box, without its head. */
  also?: string
  /** Runs that begin by themselves. */
  scheduled?: number
}

/** Services of `lock` move, those of `light` inform; `relay` moves and `lamp` informs by the broker, `open` and `say` of the app `gate-app` do. `chat`, `flaky` and `deaf` (refuse the first and the first two tries of each message) inform; `barrier`, `vague` (answers 500) move. */
export const SITE = (url: string) => `
time_zone: Europe/Berlin
modes: [disarmed, armed_home, armed_away]
cameras: { gate: { roles: [gate] }, yard: { roles: [yard] } }
people: { ann: { roles: [guard] } }
lists: { residents: [B-AB 123], drivers: [A 1, B 2, C 3] }
trusted_webhooks: [struck]
destinations:
  chat: { url: "${url}/chat", class: tell }
  flaky: { url: "${url}/flaky", class: tell }
  deaf: { url: "${url}/deaf", class: tell }
  barrier: { url: "${url}/barrier", class: move }
  vague: { url: "${url}/vague", class: move }
  lamp: { topic: house/lamp, class: tell }
  relay: { topic: house/relay, class: move }
apps: { gate-app: { open: move, say: tell } }
`

const PLATE = 'when: { event: { schema: plate.recognized.v1, cameras: [gate] } }'
const resident = { payload: { plate_text: 'B-AB 123', confidence: 0.97 } }
const stranger = { payload: { plate_text: 'X-YZ 9', confidence: 0.97 } }
const press: Partial<IncomingEvent> = {
  kind: 'button',
  schema: null,
  cameraId: null,
  payload: {},
  by: { by: 'session', name: 'Ann' },
}

const HELD = `${PLATE}
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      - webhook: { to: barrier, json: open }
      - webhook: { to: chat, json: opened }`

const CALLS = `${PLATE}
then:
  - webhook: { to: chat, json: "{plate} comes" }
  - call: { who: role:guard, goal: "Find out whose {plate} is.", outcomes: [expected, unknown], fields: { code: text }, timeout: 10m }
    expected: [ log: expected ]
    no_answer: [ log: nobody ]
  - webhook: { to: chat, json: called }
always: [ webhook: { to: chat, json: end } ]`

export const scenarios: Scenario[] = [
  {
    name: 'rows only',
    events: [resident],
    file: `${PLATE}
then:
  - log: "{plate} at {camera}"
  - alert: { severity: low, title: "{plate}" }
  - notify: { who: role:guard, message: "{plate} is here" }
always: [ log: end ]`,
  },
  {
    name: 'a message that is answered',
    events: [
      { kind: 'message', schema: null, cameraId: null, payload: { message: 'Is all well?', from: 'Bo' } },
    ],
    file: `when: { message: {} }
then:
  - reply: "I am looking, {from}"
  - webhook: { to: chat, json: "{message}" }
  - wait: 500ms
  - reply: nothing there
always: [ reply: end ]`,
  },
  {
    name: 'tells',
    events: [resident],
    file: `${PLATE}
then:
  - webhook: { to: chat, json: "{plate} one" }
  - webhook: { to: chat, json: "{plate} two" }
always: [ webhook: { to: chat, json: end } ]`,
  },
  {
    name: 'messages and a move on the broker',
    events: [resident],
    file: `${PLATE}
then:
  - mqtt: { to: lamp, json: "{plate}" }
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then: [ mqtt: { to: relay, json: open }, mqtt: { to: lamp, json: opened } ]`,
  },
  {
    name: 'an app that says and moves',
    events: [resident],
    file: `${PLATE}
then:
  - app: { id: gate-app, action: say, params: { text: "{plate}" } }
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then: [ app: { id: gate-app, action: open }, app: { id: gate-app, action: say, params: { text: opened } } ]`,
  },
  {
    name: 'services of Home Assistant',
    events: [resident],
    file: `${PLATE}
then:
  - home_assistant: { service: light.turn_on, target: light.porch }
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      - home_assistant: { service: lock.unlock, target: lock.front }
      - home_assistant: { service: light.turn_off, target: light.porch }`,
  },
  {
    name: 'cameras that are turned',
    events: [resident],
    file: `${PLATE}
then:
  - ptz_preset: { camera: yard, preset: Door }
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then: [ webhook: { to: barrier, json: open }, ptz_preset: { camera: gate, preset: Street } ]`,
  },
  {
    name: 'what is recorded',
    events: [resident],
    file: `${PLATE}
then:
  - save_clip: { camera: yard, before: 4s, after: 5s }
  - save_picture: {}
  - alert: { severity: low, title: "{plate}", attach: [clip] }`,
  },
  {
    name: 'a tell that is tried again',
    events: [resident],
    file: `${PLATE}
then:
  - webhook: { to: flaky, json: "{plate} once more" }
  - log: told`,
  },
  {
    name: 'a tell that is tried again and again',
    events: [resident],
    file: `${PLATE}
then: [ webhook: { to: deaf, json: "{plate} at last" } ]`,
  },
  {
    name: 'a run that is stopped',
    events: [resident],
    does: 'stop',
    file: `${PLATE}
then:
  - webhook: { to: chat, json: before }
  - wait: 10m
  - webhook: { to: chat, json: never }
always: [ webhook: { to: chat, json: end } ]`,
  },
  {
    name: 'a move that somebody settles',
    events: [resident],
    does: 'settle',
    file: `${PLATE}
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then: [ webhook: { to: vague, json: open }, webhook: { to: chat, json: never } ]
always: [ webhook: { to: chat, json: end } ]`,
  },
  {
    name: 'an alert that starts another workflow',
    events: [resident],
    file: `${PLATE}
then: [ alert: { severity: low, title: "{plate}" } ]`,
    also: `when: { alert: { source: workflow.struck } }
then: [ webhook: { to: chat, json: "{title}" } ]`,
  },
  {
    name: 'a look at a camera',
    events: [resident],
    looks: { 'Who is there?': { decision: 'nobody', reason: 'nobody', confidence: 0.9 } },
    file: `${PLATE}
then:
  - ai: { mode: look, prompt: Who is there?, input: picture, look_at: yard, decision: [nobody], nobody: [], unsure: [] }
  - notify: { who: role:guard, message: "{decision}" }`,
  },
  {
    name: 'a repeat that is left out',
    events: [stranger, stranger],
    reply: 'Refuse',
    file: `${PLATE}
then:
  - webhook: { to: chat, json: "{plate}" }
  - ask_person: { who: role:guard, message: "{plate}?", replies: [Let in, Refuse], timeout: 60s, default: Refuse }
    Let in: [ log: in ]
    Refuse: [ log: refused ]`,
  },
  {
    name: 'a repeat that joins the question',
    events: [stranger, stranger],
    reply: 'Refuse',
    file: `${PLATE}
then:
  - ask_person: { who: role:guard, message: "{plate}?", replies: [Let in, Refuse], timeout: 60s, default: Refuse }
    Let in: [ log: in ]
    Refuse: [ webhook: { to: chat, json: refused } ]`,
  },
  {
    name: 'events that start nothing, and a loop over them',
    events: [stranger, resident],
    file: `${PLATE}
if: [ in_list: { list: residents, value: "{plate}" } ]
then:
  - for_each:
      events: { schema: plate.recognized.v1, within: 1h }
      do: [ webhook: { to: chat, json: seen } ]`,
  },
  {
    name: 'moves between tells',
    events: [resident],
    file: `${PLATE}
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      - webhook: { to: chat, json: "{plate} comes" }
      - webhook: { to: barrier, json: open }
      - webhook: { to: chat, json: opened }
    else: [ log: unknown ]
always: [ webhook: { to: chat, json: end } ]`,
  },
  {
    name: 'a move without a clear answer',
    events: [resident],
    file: `${PLATE}
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      - webhook: { to: vague, json: open }
      - webhook: { to: chat, json: never told }
always: [ webhook: { to: chat, json: end } ]`,
  },
  {
    name: 'the mode by a press',
    events: [press],
    file: `when: { button: {} }
then:
  - site_mode: { to: armed_away, reason: pressed }
  - webhook: { to: barrier, json: closed }
  - site_mode: { to: armed_home }
always: [ notify: { who: role:guard, message: armed } ]`,
  },
  {
    name: 'a press that waits for its turn',
    events: [press, press],
    file: `when: { button: {} }
then:
  - webhook: { to: chat, json: pressed }
  - wait: 2s
  - webhook: { to: barrier, json: open }`,
  },
  {
    name: 'waits',
    events: [resident],
    file: `${PLATE}
then:
  - webhook: { to: chat, json: before }
  - wait: 1s
  - webhook: { to: chat, json: between }
  - wait: 500ms
always: [ webhook: { to: chat, json: end } ]`,
  },
  {
    name: 'a look that decides',
    events: [stranger],
    looks: { 'What is it here for?': { decision: 'delivery', reason: 'a parcel van', confidence: 0.9 } },
    file: `${PLATE}
then:
  - ai:
      mode: look
      prompt: What is it here for?
      input: event
      decision: [delivery, visitor]
      delivery:
        - webhook: { to: chat, json: "{reason}" }
        - alert: { severity: medium, title: "{decision}" }
      visitor: []
      unsure: [ alert: { severity: high, title: unsure } ]
always: [ log: "{decision}" ]`,
  },
  {
    name: 'an investigation that asks a person',
    events: [stranger],
    reply: 'Yes',
    investigates: {
      calls: [
        { tool: 'recent_plates', args: { minutes: 5 } },
        { tool: 'ask_person', args: { question: 'Do you know it?', replies: ['Yes', 'No'] } },
      ],
      decision: { reason: 'somebody knows it', self_reported: 0.9, decision: 'known' },
    },
    file: `${PLATE}
then:
  - webhook: { to: chat, json: "{plate} comes" }
  - ai:
      mode: investigate
      goal: Find out who that is.
      tools: [recent_plates, ask_person]
      memory: camera
      decision: [known, stranger]
      known: [ webhook: { to: chat, json: "{reason}" } ]
      stranger: []
      unsure: [ alert: { severity: high, title: unsure } ]
always: [ log: "{decision}" ]`,
  },
  {
    name: 'loops within a loop',
    events: [resident],
    looks: { 'Anybody?': { decision: 'clear', reason: 'nobody', confidence: 0.9 } },
    file: `${PLATE}
then:
  - for_each:
      cameras: [gate, yard]
      as: place
      collect: round
      do:
        - for_each: { list: residents, do: [ webhook: { to: chat, json: "{item} at {place}" } ] }
        - ai: { mode: look, prompt: Anybody?, input: event, decision: [clear], clear: [], unsure: [] }
        - wait: 500ms
  - webhook: { to: chat, json: "{round}" }`,
  },
  {
    name: 'waits for a condition',
    events: [resident],
    file: `${PLATE}
then:
  - wait_for: { until: { elapsed: 2s }, every: 1s, timeout: 1m }
    met: [ webhook: { to: chat, json: met } ]
  - wait_for: { until: { site_mode: [armed_away] }, every: 1s, timeout: 2s }
    timeout: [ webhook: { to: chat, json: in vain } ]`,
  },
  {
    name: 'two runs side by side',
    events: [resident, { ...stranger, cameraId: 'gate' }],
    file: `limits: { one_at_a_time: plate, cooldown: 0s }
${PLATE}
then:
  - webhook: { to: chat, json: "{plate} one" }
  - wait: 500ms
  - webhook: { to: chat, json: "{plate} two" }`,
  },
  {
    name: 'a loop that tells and waits',
    events: [resident],
    file: `${PLATE}
then:
  - for_each:
      list: drivers
      as: driver
      do:
        - webhook: { to: chat, json: "{driver}" }
        - wait: 500ms
        - log: "{driver} was told"
  - webhook: { to: chat, json: all told }`,
  },
  {
    name: 'a loop that moves',
    events: [resident],
    file: `${PLATE}
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      - for_each: { cameras: [gate, yard], do: [ webhook: { to: barrier, json: "{item}" } ] }
always: [ log: end ]`,
  },
  {
    name: 'a person lets in',
    events: [stranger],
    reply: 'Let in',
    file: `${PLATE}
then:
  - ask_person: { who: role:guard, message: "{plate}?", replies: [Let in, Refuse], timeout: 60s, default: Refuse }
    Let in:
      - webhook: { to: barrier, json: open }
      - webhook: { to: chat, json: "{answered_by}: {answer}" }
    Refuse: [ log: refused ]
always: [ log: end ]`,
  },
  {
    name: 'a call that somebody takes',
    events: [stranger],
    called: 'line',
    file: CALLS,
  },
  {
    name: 'a call that nobody takes',
    events: [stranger],
    called: 'dead',
    file: CALLS,
  },
  {
    name: 'nobody answers',
    events: [stranger],
    file: `${PLATE}
then:
  - ask_person: { who: role:guard, message: "{plate}?", replies: [Let in, Refuse], timeout: 3s, default: Refuse }
    Let in: [ webhook: { to: barrier, json: open } ]
    Refuse: [ webhook: { to: chat, json: refused } ]`,
  },
  { name: 'a held move that is released', events: [resident], paused: 'release', file: HELD },
  { name: 'a pause that ends', events: [resident], paused: 'unpause', file: HELD },
  {
    name: 'a scheduled move',
    events: [],
    scheduled: 1,
    file: `when: { schedule: { at: "13:01" } }
then:
  - webhook: { to: barrier, json: closed }
  - webhook: { to: chat, json: closed }`,
  },
  {
    name: 'would have',
    events: [resident],
    file: `state: test
${PLATE}
then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then:
      - webhook: { to: barrier, json: open }
      - site_mode: { to: armed_home }
  - wait: 500ms
always: [ webhook: { to: chat, json: end } ]`,
  },
]

/** A model that says at each place of a conversation what the scenario says there, in whichever process. */
export function modelOf({ investigates }: Scenario): LanguageModel {
  return {
    ...{ name: 'scripted', sees: false, likelihoods: false, backend: 'server' },
    async chat({ messages, schema }) {
      const said = messages.filter(({ role }) => role === 'assistant').length
      const decides = JSON.stringify(schema).includes('"decision"')
      const call = investigates?.calls[said] ?? { tool: 'finish', args: {} }
      return {
        text: JSON.stringify(decides ? investigates?.decision : call),
        ...{ tokensIn: 10, tokensOut: 5, ms: 1 },
      }
    },
  }
}

/** A scenario's answer to a Look. */
export function looked({ looks = {} }: Scenario, prompt: string): Decision {
  return decision(looks[prompt] ?? {})
}
