/** What somebody without a file looks at first. */
export const EXAMPLE = `contract: workflow.v1
name: Gate concierge
description: Ask the guard about vehicles that we do not know.
when:
  event: { schema: plate.recognized.v1, cameras: [gate] }
if:
  - not: { in_list: { list: residents, value: "{plate}" } }
then:
  - ask_person:
      who: role:guard
      message: "{plate} is at the gate. Let them in?"
      replies: [Let in, Refuse]
      timeout: 60s
      default: Refuse
    Let in:
      - app: { id: gate-controller, action: open }
    Refuse:
      - log: "{plate} was refused"
`
