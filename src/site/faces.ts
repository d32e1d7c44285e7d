/** Who compares faces at a site, and with whom, in its file under `faces:`. Absent: nobody does. */
import { type Static, Type } from '@sinclair/typebox'
import { sameIdentity } from '../contract/index.ts'
import type { Destination, FacesSetting } from './types.ts'

const MOST_PEOPLE = 200
const text = Type.String({ minLength: 1, maxLength: 200, expects: 'a text' })

export const FacesSchema = Type.Object(
  {
    at: text,
    people: Type.Array(text, {
      minItems: 1,
      maxItems: MOST_PEOPLE,
      expects: 'a list of one or more of the people who agreed to it',
    }),
    sure: Type.Optional(
      Type.String({
        pattern: '^(0\\.[5-9]\\d{0,5}|1(\\.0{1,6})?)$',
        expects: 'a number from 0.5 to 1',
      }),
    ),
  },
  { additionalProperties: false, expects: '{ at: <destination>, people: [<person>], sure: 0.9 }' },
)

/** What the file says of it; `report` hears what no schema sees. */
export function facesOf(
  data: Static<typeof FacesSchema> | undefined,
  { destinations, people }: { destinations: ReadonlyMap<string, Destination>; people: Iterable<string> },
  report: (pointer: string, code: string, message: string) => void,
): FacesSetting | null {
  if (!data) return null
  const listed = destinations.get(data.at)
  if (!listed)
    report(
      '/faces/at',
      'unknown_destination',
      `faces.at: ${data.at} is not listed: add it under destinations.`,
    )
  else if (listed.class === 'move')
    report(
      '/faces/at',
      'wrong_value',
      `faces.at: ${data.at} moves things: list the face server as class: read.`,
    )
  const known = [...people]
  for (const [index, name] of data.people.entries()) {
    if (known.some(each => sameIdentity(each, name))) continue
    report(
      `/faces/people/${index}`,
      'unknown_person',
      `faces.people: there is no ${name} under people: add them, or take the name out.`,
    )
  }
  return { destination: data.at, people: data.people, sure: Number(data.sure ?? '0.9') }
}
