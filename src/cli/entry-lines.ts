import type { Appliance } from '../app.ts'

/** What the console says of the way in: of a new box how it is claimed, by whoever reads this. */
export async function entryLines(appliance: Appliance, url: string): Promise<string[]> {
  const { fingerprint = null, isLocal = true } = appliance.web ?? {}
  const { code } = appliance.access
  const shown = fingerprint === null ? [] : [`Its certificate has the fingerprint ${fingerprint}`]
  if (code === null) return shown
  const place = `${url}/access`
  if (isLocal) return [`To give it a login, open ${place} and type the claim code ${code}`]
  // For a telephone in front of the screen. The code is typed: what is in an address is kept in too many places.
  const { renderUnicodeCompact } = await import('uqr')
  const picture = renderUnicodeCompact(place, { border: 1 }).split('\n')
  return [...shown, `Nobody has a login yet: open ${place} and type the claim code ${code}`, ...picture]
}
