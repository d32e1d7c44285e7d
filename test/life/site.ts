/** The site that is lived on, and its workflows: each way in, each way out, a person, a wait, a schedule. */

/** Where the servers of the site are. */
export interface Places {
  host: string
  nats: number
  mqtt: number
  web: number
}

export const STREAM = 'LIFE'
export const BASE = 'gatehouse/life'
export const RESIDENTS = Array.from({ length: 50 }, (_, n) => `B-LF ${100 + n}`)

export const siteYaml = ({ host, nats, mqtt, web }: Places, facts: string): string => `cameras:
  gate: { name: The gate, roles: [gate] }
  yard: { name: The yard, roles: [yard], source: { folder: ../yard } }
people:
  ann: { roles: [guard], channels: [{ via: push, at: told }] }
lists: { residents: ${JSON.stringify(RESIDENTS)} }
facts: ${JSON.stringify(facts)}
alerts: { from: low }
channels:
  push: { kind: ntfy, url: "http://${host}:${web}/" }
destinations:
  barrier: { url: "http://${host}:${web}/barrier", class: move }
  desk: { url: "http://${host}:${web}/desk", class: tell }
  lamp: { topic: life/lamp, class: tell }
nats: { url: "nats://${host}:${nats}", jetstream: { stream: ${STREAM}, durable: life } }
mqtt: { url: "mqtt://${host}:${mqtt}", base: ${BASE}, client_id: life-box }
`

const head = (name: string, when: string) => `contract: workflow.v1
name: ${name}
state: on
limits: { cooldown: 0s, per_hour: 100000, ai_per_hour: 100000 }
when: ${when}
`

const looks = (then: string) => `  - ai:
      mode: look
      prompt: Is anybody there?
      input: picture
      fields: { persons: { measure: count, of: person }, vehicles: { measure: count, of: vehicle } }
      decision: [somebody, vehicle, nobody]
      rules:
        - { when: { persons: { at_least: 1 } }, then: somebody }
        - { when: { vehicles: { at_least: 1 } }, then: vehicle }
        - { then: nobody }
      somebody: [ ${then} ]
      vehicle: [ log: a vehicle ]
      nobody: []
      unsure: [ log: "unsure: {reason}" ]
`

export const WORKFLOWS = {
  gate: `${head('Gate', '{ event: { schema: plate.recognized.v1, cameras: [gate] } }').replace('limits: {', 'limits: { one_at_a_time: plate,')}then:
  - if: [ in_list: { list: residents, value: "{plate}" } ]
    then: [ webhook: { to: barrier, json: "{plate}" } ]
    else:
      - ask_person: { who: role:guard, message: "{plate} is at the gate", replies: [Let in, Refuse], timeout: 4m, default: Refuse }
        Let in: [ webhook: { to: barrier, json: asked } ]
        Refuse: [ webhook: { to: desk, json: "refused {plate}" } ]
        no_answer: [ alert: { severity: low, title: "Nobody answered about {plate}" } ]
`,
  yard: `${head('Yard', '{ event: { schema: picture.arrived.v1, cameras: [yard] } }')}then:
${looks('alert: { severity: medium, title: Somebody in the yard, attach: [picture] }, notify: { who: role:guard, message: "{reason}" }')}`,
  hook: `${head('Hook', '{ webhook: {} }')}then:
${looks('log: somebody')}  - webhook: { to: desk, json: "{decision}" }
`,
  button: `${head('Button', '{ button: {} }')}then: [ mqtt: { to: lamp, json: "ON" }, wait: 3m, mqtt: { to: lamp, json: "OFF" } ]
`,
  clock: `${head('Clock', '{ schedule: { every: 10m } }')}then: [ webhook: { to: desk, json: clock } ]
`,
  after: `${head('After', '{ alert: { source: workflow.yard } }')}then: [ wait: 2m, webhook: { to: desk, json: "{title}" } ]
`,
}
