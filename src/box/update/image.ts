import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Tell } from '../safe-mode.ts'

const NAME = Type.String({ pattern: '^[0-9A-Za-z._-]{1,200}$' })
/** What `gatehouse-image` leaves when a system that was on trial was kept or not; root alone writes it. */
const Trial = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 100 }),
  outcome: Type.Union(
    (['kept', 'taken_back', 'not_started', 'not_whole'] as const).map(each => Type.Literal(each)),
  ),
  image: NAME,
  runs: NAME,
})
type Trial = typeof Trial.static

const MOST_BYTES = 4 * 1024

/** What became of the last image that was tried, and how people are told; null: none was, or it is not understood. */
export function imageTrialIn(stateDir: string): { id: string; news: Parameters<Tell>[0] } | null {
  let found: unknown
  try {
    const bytes = readFileSync(join(stateDir, 'image.json'))
    found = bytes.length > MOST_BYTES ? null : JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
  return Value.Check(Trial, found) ? { id: found.id, news: wordsFor(found) } : null
}

function wordsFor({ outcome, image, runs }: Trial): Parameters<Tell>[0] {
  switch (outcome) {
    case 'kept':
      return { title: `The system ${image} runs now`, body: 'It was well and stays.', severity: 'low' }
    case 'taken_back':
      return {
        title: `The system ${image} was taken back`,
        body: `It did not start well: ${runs} runs again, with the database as it was before. Ask whoever made it.`,
        severity: 'high',
      }
    case 'not_started':
      return {
        title: `The system ${image} did not start`,
        body: `${runs} runs again. Ask whoever made it.`,
        severity: 'high',
      }
    case 'not_whole':
      return {
        title: `The system ${image} was not written whole`,
        body: `${runs} runs on. Install it again.`,
        severity: 'high',
      }
  }
}
