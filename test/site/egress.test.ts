import { expect, test } from 'vitest'
import { isLocal, isThisBox, refusalOf, sameAddress } from '../../src/site/index.ts'

test.each([
  '93.184.216.34',
  '192.168.1.5',
  '10.0.0.1',
  '172.16.3.4',
  '100.64.0.7',
  'fd12:3456::1',
  '2606:2800:220:1::1',
  '::ffff:10.0.0.1',
])('%s is fine for a listed name', address => {
  expect(refusalOf(address, 'chat.example')).toBeNull()
})

test.each([
  ['127.0.0.1', 'this box itself'],
  ['127.8.9.1', 'this box itself'],
  ['::1', 'this box itself'],
  ['::ffff:127.0.0.1', 'this box itself'],
  ['::ffff:7f00:1', 'this box itself'],
  ['169.254.169.254', 'link-local'],
  ['::ffff:169.254.169.254', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['fd00:ec2::254', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['0.0.0.0', 'no address'],
  ['::', 'no address'],
  ['224.0.0.1', 'multicast'],
  ['ff02::1', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['240.0.0.1', 'reserved'],
  ['64:ff9b::7f00:1', 'range'],
  ['2002:7f00:1::', 'range'],
  ['::127.0.0.1', ''],
  ['2130706433', 'this box itself'],
  ['', 'not an address'],
  ['chat.example', 'not an address'],
])('%s is refused for a listed name', (address, why) => {
  const refusal = refusalOf(address, 'chat.example')
  expect(refusal).not.toBeNull()
  expect(refusal).toContain(why)
})

test('an address that is listed itself is what the admin meant', () => {
  for (const [address, listed] of [
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '[::1]'],
    ['::1', '[0:0:0:0:0:0:0:1]'],
    ['127.0.0.1', '[::ffff:7f00:1]'],
    ['169.254.10.20', '169.254.10.20'],
  ] as const) {
    expect(refusalOf(address, listed)).toBeNull()
  }
  expect(refusalOf('127.0.0.2', '127.0.0.1')).not.toBeNull()
  expect(refusalOf('127.0.0.1', 'localhost')).not.toBeNull()
  for (const address of ['0.0.0.0', '::', '224.0.0.1', '255.255.255.255']) {
    expect(refusalOf(address, address.includes(':') ? `[${address}]` : address)).not.toBeNull()
  }
})

test('spellings of one address are the same', () => {
  expect(sameAddress('::ffff:10.0.0.1', '10.0.0.1')).toBe(true)
  expect(sameAddress('[fd00::0:1]', 'fd00::1')).toBe(true)
  expect(sameAddress('10.0.0.1', '10.0.0.2')).toBe(false)
  expect(sameAddress('a', 'a')).toBe(false)
  expect([isThisBox('127.1.2.3'), isThisBox('[::1]'), isThisBox('192.0.2.1')]).toEqual([true, true, false])
})

test('what stays on the site is this box, its link and private networks, however the address is spelled', () => {
  const local = [
    '127.0.0.1',
    '::1',
    '[::1]',
    '10.1.2.3',
    '192.168.0.9',
    '172.16.0.1',
    '::ffff:10.0.0.1',
    'fd12::1',
    'fe80::1%eth0',
    '169.254.3.4',
  ]
  const away = [
    '8.8.8.8',
    '2001:4860:4860::8888',
    '100.64.0.1',
    '::ffff:8.8.8.8',
    '172.32.0.1',
    'gpu.lan',
    '',
  ]
  expect(local.filter(address => !isLocal(address))).toEqual([])
  expect(away.filter(isLocal)).toEqual([])
})
