import { readlinkSync } from 'node:fs'

const name = /^(?:UTC|[A-Z][A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)+)$/

/**
 * The time zone of the system: `TZ`, else where `/etc/localtime` links to, else what the runtime says. The runtime is
 * asked last because it then loads its locale data: 7 MB and a tenth of a start, for a box that may never need them.
 */
export function systemZone(): string {
  const told = process.env.TZ?.replace(/^:/, '') || linked()
  return name.test(told) ? told : Intl.DateTimeFormat().resolvedOptions().timeZone
}

function linked(): string {
  try {
    return readlinkSync('/etc/localtime').split('/zoneinfo/')[1] ?? ''
  } catch {
    return ''
  }
}
