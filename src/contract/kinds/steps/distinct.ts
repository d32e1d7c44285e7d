import { foldText } from '../../identity.ts'
import type { Finding } from '../../kind.ts'

/** Reports choices that are the same or differ only in case: nobody could tell them apart. */
export function checkDistinct(
  key: string,
  values: readonly string[],
  found: (finding: Finding) => void,
  what: string,
): void {
  const seen = new Set<string>()
  values.forEach((value, index) => {
    const folded = foldText(value)
    if (seen.has(folded)) {
      found({
        at: [key, index],
        code: `duplicate_${what}`,
        message: `The ${what} ${JSON.stringify(value)} is there twice: leave one out or reword it.`,
      })
    }
    seen.add(folded)
  })
}
