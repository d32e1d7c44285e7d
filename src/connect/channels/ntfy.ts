import type { Severity } from '../../contract/index.ts'
import type { Clock } from '../../core/index.ts'
import { isThisBox, type NtfyChannel, sameAddress } from '../../site/index.ts'
import type { Lookup } from '../http/address.ts'
import { type ExchangeAnswer, exchange } from '../http/exchange.ts'
import { headerValue } from '../http/listed.ts'
import { neverTold } from '../notices/channel.ts'
import { type Secrets, secretFor } from '../secrets.ts'
import { type ChannelDriver, channelDown, said } from './driver.ts'
import { type Message, type MessagePicture, pictureName } from './message.ts'

const TIMEOUT_MS = 15_000
const MAX_ANSWER_BYTES = 16 * 1024
/** More of a text becomes a file at the server. */
const MOST_TEXT_BYTES = 3_500
const MOST_TITLE_BYTES = 240
/** What public servers take. */
const MOST_PICTURE_BYTES = 2 * 1024 * 1024

/** Of five; the second makes no sound. */
const PRIORITY: Record<Severity, number> = { low: 3, medium: 3, high: 4, critical: 5 }
const SILENT = 2
const TAGS: Record<Message['kind'], string> = {
  alert: 'rotating_light',
  notify: 'information_source',
  question: 'question',
  summary: 'bar_chart',
  test: 'white_check_mark',
}

export interface NtfyOptions {
  channel: NtfyChannel
  secrets: Secrets
  clock: Clock
  ownPorts: () => readonly number[]
  lookup?: Lookup
}

/** A topic of an ntfy server. A picture is the body of the message, and the text stands in its headers. */
export class Ntfy implements ChannelDriver {
  readonly #options: NtfyOptions

  constructor(options: NtfyOptions) {
    this.#options = options
  }

  async send(message: Message, at: string | null, signal: AbortSignal): Promise<void> {
    const picture = await message.picture?.()
    if (picture && picture.bytes.byteLength <= MOST_PICTURE_BYTES) {
      const { status, body } = await this.#put(message, at, picture, signal)
      // Servers may take no files, or none any more: better told without one.
      if (![400, 413, 429, 507].includes(status)) return this.#judge(status, new TextDecoder().decode(body))
    }
    const { status, body } = await this.#put(message, at, null, signal)
    this.#judge(status, new TextDecoder().decode(body))
  }

  #put(
    message: Message,
    at: string | null,
    picture: MessagePicture | null,
    signal: AbortSignal,
  ): Promise<ExchangeAnswer> {
    const { channel, secrets, clock, lookup } = this.#options
    const { name, url, token } = channel
    const target = new URL(url)
    target.pathname = `${url.pathname.replace(/\/$/, '')}/${at ?? channel.topic ?? ''}`
    const text = cutBytes(message.body || message.title, MOST_TEXT_BYTES)
    return exchange({
      label: `channels.${name}`,
      url: target,
      method: 'PUT',
      headers: {
        'user-agent': 'Gatehouse',
        'webhook-id': message.id,
        'x-title': encoded(message.body ? cutBytes(message.title, MOST_TITLE_BYTES) : 'Gatehouse'),
        'x-priority': String(message.silent ? SILENT : PRIORITY[message.severity]),
        'x-tags': TAGS[message.kind],
        ...(message.link && { 'x-click': message.link }),
        ...(message.thread && { 'x-sequence-id': message.thread }),
        ...(token && { authorization: bearer(name, secretFor(`channels.${name}`, token.secret, secrets)) }),
        ...(picture && { 'x-filename': pictureName(picture), 'x-message': encoded(text) }),
        'content-type': picture?.type ?? 'text/plain; charset=utf-8',
      },
      body: picture ? picture.bytes : text,
      signal,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_ANSWER_BYTES,
      clock,
      ...(lookup && { lookup }),
      refuse: (address, port, host) => this.#refusalOfOwn(address, port, host),
    })
  }

  #judge(status: number, body: string): void {
    const { name } = this.#options.channel
    if (status >= 200 && status < 300) {
      if (isTaken(body)) return
      throw channelDown(
        `channels.${name}: what answers there is no ntfy: look at url, and whether a login page stands before it.`,
      )
    }
    if (status === 401 || status === 403)
      throw channelDown(`channels.${name}: ntfy refuses the token, or the topic for it (${status}).`)
    if (status === 429) throw channelDown(`channels.${name}: ntfy takes no more for now (429).`)
    if (status === 400 || status === 413) throw neverTold(`ntfy does not take it: ${reasonOf(body)}`)
    throw channelDown(`channels.${name}: the server answers ${status}: look whether url is that of an ntfy.`)
  }

  /** Beside this box, yes, where its address itself is named; the box's own page, no. */
  #refusalOfOwn(address: string, port: number, host: string): string | null {
    if (!isThisBox(address)) return null
    if (this.#options.ownPorts().includes(port)) return 'it is this Gatehouse itself'
    return sameAddress(host, address) ? null : `${address} is this box itself: name its address`
  }
}

function bearer(name: string, token: string): string {
  return headerValue(`channels.${name}`, 'token', `Bearer ${token}`)
}

/** Whatever else may stand there says that all is well, too; ntfy answers with the message that it has. */
function isTaken(body: string): boolean {
  try {
    return typeof (JSON.parse(body) as { id?: unknown } | null)?.id === 'string'
  } catch {
    return false
  }
}

function reasonOf(body: string): string {
  try {
    return said((JSON.parse(body) as { error?: unknown }).error)
  } catch {
    return said(body)
  }
}

/** A header with whatever text: as an encoded word where it is more than plain ASCII. */
function encoded(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text) && !text.startsWith('=?')) return text
  return `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
}

/** As much of a text as fits, in UTF-8. */
function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text)
  if (bytes.byteLength <= most) return text
  return `${bytes
    .subarray(0, most)
    .toString()
    .replace(/\uFFFD+$/, '')}…`
}
