import ipaddr from 'ipaddr.js'

/**
 * Where a listed destination may be. Public and private addresses are fine because an admin listed the name;
 * every other kind only if the listed address itself is one: a name that leads to this box, to its link or to
 * a cloud's metadata service was not what the admin meant, whoever answers for the name.
 */
const ORDINARY = new Set(['unicast', 'private', 'uniqueLocal', 'carrierGradeNat'])
/** No server is there, though some systems take them for this box. */
const NEVER = new Set(['unspecified', 'multicast', 'broadcast'])
/** Metadata services of clouds that stand at otherwise ordinary addresses. */
const METADATA = new Set(['fd00:ec2::254', 'fd20:ce::254', '100.100.100.200', '168.63.129.16'])

/**
 * Why a connection to `address` is refused for a destination listed with the host `listed` (as in a URL), or
 * null if it is allowed. `address` is one that `listed` resolved to, or `listed` itself.
 */
export function refusalOf(address: string, listed: string): string | null {
  const real = parse(address)
  if (!real) return `${address} is not an address`
  const range = real.range()
  if (NEVER.has(range)) return `${address} is ${describe(range)}`
  if (parse(bare(listed))?.toString() === real.toString()) return null
  if (METADATA.has(real.toString())) return `${address} is a metadata service`
  if (range === 'loopback' && !parse(bare(listed)))
    return `${listed} leads to this box itself: what only informs a program here is listed as ${address}`
  return ORDINARY.has(range) ? null : `${address} is ${describe(range)}`
}

/** Addresses that differ only in spelling (`::ffff:10.0.0.1`, `10.0.0.1`) become one. */
export function sameAddress(a: string, b: string): boolean {
  const [left, right] = [parse(bare(a)), parse(bare(b))]
  return left !== null && left.toString() === right?.toString()
}

/** Whether an address is one of this box by its nature. */
export function isLoopback(address: string): boolean {
  return parse(bare(address))?.range() === 'loopback'
}

/** Whether an address is of this box or of a private network: what is sent there does not leave the site. */
export function isLocal(address: string): boolean {
  const range = parse(bare(address))?.range() ?? ''
  return ['loopback', 'private', 'uniqueLocal', 'linkLocal'].includes(range)
}

/** Whether a text is an address, or a range of them as `192.168.1.0/24`. */
export function isRange(text: string): boolean {
  return rangeOf(text) !== null
}

/** Whether an address lies in a range, or is the one that is named. */
export function isInRange(address: string, range: string): boolean {
  const real = parse(bare(address))
  const known = rangeOf(range)
  if (!real || !known || real.kind() !== known[0].kind()) return false
  return real.match(known as [ipaddr.IPv4, number] & [ipaddr.IPv6, number])
}

function rangeOf(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const [address = '', bits] = text.split('/', 2)
  // `10.0.0` is an address to some programs: whoever writes it meant something else.
  if (!address.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(address)) return null
  if (bits !== undefined) return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : null
  const one = parse(address)
  return one && [one, one.kind() === 'ipv4' ? 32 : 128]
}

function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const plain = address.split('%', 1)[0] ?? ''
  // `process` turns the IPv4-mapped form into the IPv4 address that is really connected to.
  return ipaddr.isValid(plain) ? ipaddr.process(plain) : null
}

/** The host of a URL without the brackets of IPv6. */
function bare(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host
}

function describe(range: string): string {
  if (range === 'loopback') return 'this box itself'
  if (range === 'linkLocal') return 'link-local'
  if (range === 'unspecified') return 'no address of a server'
  return `in the range ${range}`
}
