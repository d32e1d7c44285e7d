import { createHash, randomBytes } from 'node:crypto'
import type { XmlElement } from '@rgrove/parse-xml'
import { plainText } from '../../contract/index.ts'
import { type Clock, cut, GatehouseError, iso } from '../../core/index.ts'
import { exchangeAs } from '../http/exchange-as.ts'
import type { Login } from '../http/login.ts'
import { escapeXml, MOST_XML_BYTES, one, readXml, textOf } from './xml.ts'

const ENVELOPE = 'http://www.w3.org/2003/05/soap-envelope'
const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd'
const WSU = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd'
const TOKEN = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0'
const TIMEOUT_MS = 8_000

export interface SoapOptions {
  /** For people, in errors: `camera gate`. */
  label: string
  login: Login
  clock: Clock
}

/** One service of a camera, asked in SOAP 1.2 as ONVIF has it. */
export class Soap {
  readonly #options: SoapOptions
  /** How far the camera's clock is ahead of ours, ms: it takes only what was made lately by its own. */
  aheadMs = 0

  constructor(options: SoapOptions) {
    this.#options = options
  }

  /**
   * Asks once; answers with what is inside of the body. Rejects with `camera_refused` (it did not do it), or as the
   * exchange does: `destination_unreachable` (it was not asked), `destination_unanswered` (nobody knows).
   */
  async ask(
    url: URL,
    body: string,
    { signal, anonymous = false }: { signal: AbortSignal; anonymous?: boolean },
  ): Promise<XmlElement> {
    const { label, login, clock } = this.#options
    const header = anonymous || !login.named ? '' : `<s:Header>${this.#security()}</s:Header>`
    const answer = await exchangeAs(login, {
      label,
      url,
      method: 'POST',
      headers: { 'content-type': 'application/soap+xml; charset=utf-8' },
      body: `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="${ENVELOPE}">${header}<s:Body>${body}</s:Body></s:Envelope>`,
      signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MOST_XML_BYTES,
      clock,
    })
    const inside = answer.cut ? null : one(await readXml(answer.body), 'Body')
    const fault = one(inside, 'Fault')
    if (answer.status === 401 || /NotAuthorized/i.test(textOf(fault, 'Code') ?? '')) throw this.#unknown()
    if (fault) throw this.#refused(textOf(fault, 'Reason') ?? 'without a reason')
    if (answer.status === 200 && inside) return inside
    const message = `${label} does not speak ONVIF there: check the address of its device service.`
    throw new GatehouseError('destination_unanswered', message, { status: 502 })
  }

  #unknown(): GatehouseError {
    const message = this.#options.login.named
      ? 'refused its user or password: many cameras have users of their own for ONVIF.'
      : 'wants a user and a password: write them into the site file.'
    return this.#error(message)
  }

  #refused(reason: string): GatehouseError {
    return this.#error(`refused: ${cut(plainText(reason), 120)}`)
  }

  #error(message: string): GatehouseError {
    return new GatehouseError('camera_refused', `${this.#options.label} ${message}`, { status: 502 })
  }

  /** A password never travels: what does is made of it, a number used once, and the time. */
  #security(): string {
    const { login, clock } = this.#options
    const { user, password } = login.who()
    const nonce = randomBytes(16)
    const created = iso(clock.now() + this.aheadMs)
    const digest = createHash('sha1').update(nonce).update(created).update(password).digest('base64')
    return `<Security xmlns="${WSSE}" s:mustUnderstand="1"><UsernameToken><Username>${escapeXml(user)}</Username><Password Type="${TOKEN}#PasswordDigest">${digest}</Password><Nonce EncodingType="${WSSE.replace('wssecurity-secext', 'soap-message-security')}#Base64Binary">${nonce.toString('base64')}</Nonce><Created xmlns="${WSU}">${created}</Created></UsernameToken></Security>`
  }
}
