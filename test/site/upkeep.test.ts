import { expect, test } from 'vitest'
import { demandShelf, Site } from '../../src/site/index.ts'

const load = (text: string) => Site.load(text, 'site.yaml')
const wrong = (text: string): string[] => {
  try {
    load(text)
    return []
  } catch (error) {
    return (error as { problems: { path: string; message: string }[] }).problems.map(
      each => `${each.path}: ${each.message}`,
    )
  }
}

test('where updates come from and backups go', () => {
  const { updates, backups } = load(
    'updates: { from: "label:GATEHOUSE/releases", auto: nightly at 03:30 }\nbackups: { to: /media/stick, keep: 3 }\n',
  )
  expect(updates).toMatchObject({
    from: { kind: 'disk', by: 'LABEL', name: 'GATEHOUSE', folder: '/releases' },
    at: '03:30',
  })
  expect(backups).toMatchObject({
    to: { kind: 'folder' },
    at: '03:00',
    keep: 3,
    recipient: null,
    pictures: true,
  })
  expect(load('updates: { from: "https://example.org/gatehouse" }').updates).toMatchObject({
    from: { kind: 'url' },
    at: null,
  })
  expect(load('backups: { to: "uuid:ABCD-1234", auto: off }').backups?.at).toBeNull()
  expect([load('').updates, load('').backups]).toEqual([null, null])
})

test.each([
  ['updates: {}', /from/],
  ['updates: { from: "ftp://example.org" }', /beginning with http/],
  ['updates: { from: "https://ann:pass@example.org/x" }', /credentials/],
  ['updates: { from: /media/x, auto: daily }', /nightly at 03:30/],
  ['updates: { from: /media/x, key: RWQ }', /key/],
  ['updates: { from: "label:a b" }', /names a disk/],
  ['backups: { to: /etc/cron.d }', /under \/media, \/mnt or \/srv/],
  ['backups: { to: /media/../etc }', /\.\./],
  ['backups: { to: "https://example.org" }', /folder/],
  ['backups: { to: /srv/b, recipient: age1xyz }', /public key of age/],
  ['backups: { to: /srv/b, keep: 0 }', /whole number/],
])('%s is refused', (text, why) => {
  expect(wrong(text).join('\n')).toMatch(why)
})

test('what root is told is looked at by root again', () => {
  expect(() => demandShelf('/etc', false)).toThrow('must lie under')
  expect(demandShelf('/etc', true)).toEqual({ kind: 'folder', path: '/etc' })
})
