import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { copiesIn } from '../../store/index.ts'
import { startsIn } from '../starts.ts'
import { agoOf, bad, type Check, good, note } from './check.ts'

/** A box that is up makes one a day. */
const OLD_MS = 3 * 86_400_000

/** What the box did to help itself, as it lies in its data folder. `now`: epoch ms. */
export function rescueChecks(dataDir: string, now: number): Check[] {
  const { failed, said } = startsIn(dataDir)
  const [newest] = copiesIn(dataDir)
  const aside = join(dataDir, 'damaged')
  const old = newest && now - newest.at > OLD_MS
  return [
    ...(failed > 3
      ? [
          bad(
            'Starts',
            null,
            `${failed - 1} in a row came to nothing.${said ? ` The last said: ${said}` : ''}`,
            'Mend what it says, then: gatehouse doctor --clear',
          ),
        ]
      : []),
    newest
      ? (old ? note : good)('Copy', null, `The newest of the database is ${agoOf(now - newest.at)} old.`)
      : note('Copy', null, 'There is none of the database yet.', 'A box that is up makes one a day.'),
    ...(existsSync(aside) ? readdirSync(aside) : []).map(name =>
      note(
        'Set aside',
        name,
        `What was there before lies in ${join(aside, name)}.`,
        'Remove it when nobody needs it.',
      ),
    ),
  ]
}
