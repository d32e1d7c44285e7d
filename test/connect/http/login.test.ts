import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fetchPicture } from '../../../src/connect/cameras/http.ts'
import { authorization, challengeIn } from '../../../src/connect/http/challenge.ts'
import { Login } from '../../../src/connect/http/login.ts'
import { systemClock } from '../../../src/core/index.ts'
import { jpeg, serve } from '../helpers.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const field = (header: string, name: string) =>
  new RegExp(`[ ,]${name}=(?:"([^"]*)"|([^,]*))`).exec(header)?.slice(1).find(Boolean) ?? ''

describe('the answer to a challenge', () => {
  // RFC 7616, section 3.9.1.
  const offers = (algorithm: string) =>
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
  const answer = (header: string) => {
    const challenge = challengeIn(header)
    if (!challenge) throw new Error('no challenge')
    return authorization(
      challenge,
      { user: 'Mufasa', password: 'Circle of Life' },
      {
        method: 'GET',
        uri: '/dir/index.html',
        count: 1,
        cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
      },
    )
  }

  test.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('is that of the standard for %s', (algorithm, response) => {
    expect(field(answer(offers(algorithm)), 'response')).toBe(response)
  })

  test('is to the strongest that is offered and understood', () => {
    const all = `Basic realm="x", ${offers('MD5')}, ${offers('SHA-256')}, Digest realm="y", nonce="n", algorithm=SHA-512-256`
    expect(challengeIn(all)).toMatchObject({ scheme: 'digest', algorithm: 'SHA-256' })
    expect(challengeIn(`Basic realm="a, Digest b", ${offers('MD5')}`)).toMatchObject({ algorithm: 'MD5' })
    expect(challengeIn('Digest realm="x", nonce="n", qop="auth-int", Basic realm="x"')).toEqual({
      scheme: 'basic',
    })
    for (const none of [
      '',
      'Negotiate',
      'Bearer realm="x"',
      'Digest realm="x"',
      'Basic '.repeat(2_000),
      null,
    ])
      expect(challengeIn(none)).toBeNull()
  })

  test('is one line, whatever is asked', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), realm => {
        const challenge = challengeIn(`Digest realm="${realm}", nonce="n"`)
        if (!challenge) return true
        const header = authorization(
          challenge,
          { user: 'a"\\b', password: 'p' },
          { method: 'GET', uri: '/', count: 1 },
        )
        return !/username="a"/.test(header)
      }),
    )
  })
})

describe('a camera that wants a digest', () => {
  const PASSWORD = 'hunter2'
  function camera(password: string, { nonces = 100, path = '/' } = {}) {
    const seen: string[] = []
    let [nonce, uses] = [0, 0]
    const port = serve(request => {
      const header = request.headers.get('authorization') ?? ''
      seen.push(header)
      const url = new URL(request.url)
      const stale = uses >= nonces && header !== ''
      const hash = [
        md5(`admin:cam:${PASSWORD}`),
        `n${nonce}`,
        field(header, 'nc'),
        field(header, 'cnonce'),
        'auth',
        md5(`GET:${url.pathname}${url.search}`),
      ]
      if (
        !stale &&
        header &&
        field(header, 'response') === md5(hash.join(':')) &&
        Number(`0x${field(header, 'nc')}`) === uses + 1
      ) {
        uses++
        return new Response(jpeg())
      }
      if (stale) [nonce, uses] = [nonce + 1, 0]
      const wants = `Digest realm="cam", qop="auth", nonce="n${nonce}"${stale ? ', stale=true' : ''}`
      return new Response('no', { status: 401, headers: { 'www-authenticate': wants } })
    })
    const url = new URL(`http://127.0.0.1:${port}${path}`)
    const login = new Login(
      'camera gate',
      { url, user: 'admin', password: { secret: 'x' } },
      { get: () => password },
    )
    const signal = new AbortController().signal
    return { seen, ask: () => fetchPicture({ label: 'camera gate', url, login, clock: systemClock, signal }) }
  }

  test('is told only a digest, and at once the next time', async () => {
    const { seen, ask } = camera(PASSWORD, { path: '/snap?ch=1' })
    for (let i = 0; i < 3; i++) expect((await ask()).bytes).toEqual(jpeg())
    expect(seen.map(header => header.slice(0, 6))).toEqual(['', 'Digest', 'Digest', 'Digest'])
    expect(seen.join()).not.toContain(PASSWORD)
  })

  test('is answered anew where its nonce has run out', async () => {
    const { seen, ask } = camera(PASSWORD, { nonces: 2 })
    for (let i = 0; i < 5; i++) await ask()
    expect(seen).toHaveLength(8)
  })

  test('a wrong password is tried once', async () => {
    const { seen, ask } = camera('hunter3')
    await expect(ask()).rejects.toMatchObject({
      code: 'camera_offline',
      message: expect.stringContaining('401'),
    })
    expect(seen).toHaveLength(2)
  })
})
