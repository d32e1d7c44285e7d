import { GatehouseError } from '../core/index.ts'

/** Throws `changed_meanwhile` (409) unless the version in force is still the one that a file was made from. */
export function demandSame(made: number | undefined, inForce: number | undefined): void {
  if (made === undefined || made === inForce) return
  const what = `It was saved meanwhile: version ${inForce} is in force, yours was made from version ${made}.`
  throw new GatehouseError(
    'changed_meanwhile',
    `${what} Nothing was saved: compare the two, then save again.`,
    {
      status: 409,
    },
  )
}
