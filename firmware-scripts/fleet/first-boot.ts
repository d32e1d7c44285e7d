/** The settings of `gatehouse-first-boot.yaml`, checked as the box checks them. */
import { isIPv4 } from 'node:net'
import type { Row, Wrong } from './table.ts'

const HOST_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const SSH_KEY = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/=]+(?: .*)?$/

/** Each setting and what it has to be. */
const settings: Record<string, { is(value: string): boolean; form: string }> = {
  host_name: { is: value => HOST_NAME.test(value), form: 'small letters, digits and "-", 63 at most' },
  time_zone: { is: isTimeZone, form: 'a name like Europe/Berlin' },
  address: { is: isAddressWithBits, form: 'like 192.168.1.20/24' },
  gateway: { is: isIPv4, form: 'like 192.168.1.1' },
  dns: { is: isIPv4, form: 'like 192.168.1.1' },
  port: {
    is: value => /^[1-9]\d{0,4}$/.test(value) && Number(value) < 60_000,
    form: 'a number from 1 to 59999',
  },
  ssh_key: { is: value => SSH_KEY.test(value), form: 'one line of a public key, as in id_ed25519.pub' },
}

/** Whether a name may be that of a box: it is a folder and, unless told otherwise, a host name. */
export const isBoxName = (name: string): boolean => HOST_NAME.test(name)

/** The file for one box. */
export function firstBoot(row: Row, wrong: Wrong[]): string {
  const lines = [`host_name: ${row.cells.get('host_name') || row.cells.get('box') || ''}`]
  for (const [name, { is, form }] of Object.entries(settings)) {
    const value = row.cells.get(name)
    if (!value) continue
    if (!is(value)) wrong.push({ line: row.line, message: `${name} is to be ${form}` })
    else if (name !== 'host_name') lines.push(`${name}: ${value}`)
  }
  if (row.cells.get('gateway') && !row.cells.get('address'))
    wrong.push({ line: row.line, message: 'gateway needs an address of the box, too' })
  return `${lines.join('\n')}\n`
}

function isTimeZone(value: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9/_+-]*$/.test(value)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}

function isAddressWithBits(value: string): boolean {
  const [address = '', bits = '', ...more] = value.split('/')
  return isIPv4(address) && /^(?:[1-9]|[12]\d|3[0-2])$/.test(bits) && more.length === 0
}
