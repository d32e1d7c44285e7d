/** Destinations: the class of a use is what the site, or without one the file's `needs`, lists it as. */

import type { Effect, SiteView } from '../../types.ts'
import { name } from '../params.ts'

export const destination = name('The name of a listed destination: never an address.')

/** A destination that nobody listed counts as a move. */
export const destinationEffect = (
  to: string,
  site?: SiteView,
  declared?: Readonly<Record<string, Effect>>,
): Effect => {
  if (site) return site.destinations.get(to) ?? 'move'
  return (declared && Object.hasOwn(declared, to) ? declared[to] : undefined) ?? 'move'
}
