import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { type Clock, GatehouseError } from '../../core/index.ts'
import { isThisBox, type SmtpChannel, sameAddress } from '../../site/index.ts'
import { checkedAddresses, type Lookup } from '../http/address.ts'
import { neverTold } from '../notices/channel.ts'
import { type Secrets, secretFor } from '../secrets.ts'
import { type ChannelDriver, channelDown, heldUp, said } from './driver.ts'
import { lines, type Message, type MessagePicture, oneLine, pictureName } from './message.ts'

const CONNECT_MS = 8_000
const SILENCE_MS = 12_000
/** What mail servers take at least. */
const MOST_PICTURE_BYTES = 5 * 1024 * 1024
const MOST_SUBJECT = 200

export interface SmtpOptions {
  channel: SmtpChannel
  secrets: Secrets
  clock: Clock
  boxId: () => string
  lookup?: Lookup
}

/** What the library says of a failure. */
interface MailError {
  code?: unknown
  command?: unknown
  responseCode?: unknown
  response?: unknown
  message?: unknown
}

/** A mail server that takes this box's mails: one mail to one address over one connection. */
export class Smtp implements ChannelDriver {
  readonly #options: SmtpOptions

  constructor(options: SmtpOptions) {
    this.#options = options
  }

  async send(message: Message, at: string | null, signal: AbortSignal): Promise<void> {
    const made = await message.picture?.()
    const picture = made && made.bytes.byteLength <= MOST_PICTURE_BYTES ? made : null
    try {
      await this.#mail(message, at, picture, signal)
    } catch (error) {
      if (!picture || !(error instanceof GatehouseError) || error.code !== 'never_told') throw error
      // It may have been too large, or servers there take no files.
      await this.#mail(message, at, null, signal)
    }
  }

  async #mail(
    message: Message,
    at: string | null,
    picture: MessagePicture | null,
    signal: AbortSignal,
  ): Promise<void> {
    const { channel, boxId } = this.#options
    const to = at ?? channel.to ?? ''
    const transport = await this.#transport(signal)
    const stop = () => transport.close()
    signal.addEventListener('abort', stop, { once: true })
    try {
      await transport.sendMail({
        from: channel.from,
        to,
        subject: oneLine(message.title).slice(0, MOST_SUBJECT),
        text: textOf(message),
        date: new Date(message.at),
        ...idsOf(message, to, boxId()),
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Correlation-Id': message.correlationId,
          ...urgency(message),
        },
        ...(picture && {
          attachments: [
            {
              filename: pictureName(picture),
              content: Buffer.from(picture.bytes),
              contentType: picture.type,
            },
          ],
        }),
      })
    } catch (error) {
      throw this.#failure(error as MailError)
    } finally {
      signal.removeEventListener('abort', stop)
      transport.close()
    }
  }

  async #transport(signal: AbortSignal) {
    const { channel, secrets, lookup } = this.#options
    const { host, port, security, user, password, ca, name } = channel
    const label = `channels.${name}`
    const pass = password && secretFor(label, password.secret, secrets)
    const trusted = ca && (await readCa(label, ca))
    const url = new URL(`smtp://${host}`)
    const asked = { label, url, port, signal, ...(lookup && { lookup }) }
    const [address = ''] = await checkedAddresses({ ...asked, refuse: ofThisBox })
    const bare = host.replace(/^\[|\]$/g, '')
    const { createTransport } = await import('nodemailer')
    return createTransport({
      // The address that was checked; the name is for the certificate.
      host: address,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      ...(user !== null && { auth: { user, pass: pass ?? '' } }),
      tls: { ...(isIP(bare) ? {} : { servername: bare }), ...(trusted && { ca: trusted }) },
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      name: 'gatehouse.local',
    })
  }

  #failure({ code, command, responseCode, response, message }: MailError): GatehouseError {
    const { name, security } = this.#options.channel
    const label = `channels.${name}`
    const status = Number(responseCode ?? 0)
    const words = said(response ?? message)
    if (code === 'EAUTH') return channelDown(`${label}: the mail server refuses user and password.`)
    if (code === 'ETLS' || /certificate|self.signed|TLS|SSL/i.test(String(message)))
      return channelDown(
        `${label}: no secure connection came about with security: ${security}, check it and the server's certificate (${words}).`,
      )
    if (command === 'MAIL FROM' || command === 'MAIL')
      return channelDown(`${label}: the mail server does not take mails from this sender (${words}).`)
    const addressed = code === 'EENVELOPE' || code === 'EMESSAGE'
    if (addressed && status >= 500) return neverTold(`The mail server does not take it (${status}).`)
    if (addressed && status >= 400) return heldUp(`${label}: the mail server asks for patience (${status}).`)
    if (code === 'EENVELOPE') return neverTold('The mail server does not take the address.')
    return channelDown(`${label}: the mail server cannot be used (${words}).`)
  }
}

/** A mail server on this box itself is fine where its address is named. */
function ofThisBox(address: string, _port: number, host: string): string | null {
  if (!isThisBox(address)) return null
  return sameAddress(host, address) ? null : `${address} is this box itself: name its address`
}

function textOf({ title, body, link }: Message): string {
  return [lines(body || title), ...(link ? ['', link] : []), '', '-- ', 'Gatehouse'].join('\n')
}

/** The same at every try, so that a repeat is known; mails of one thread stand together. */
function idsOf({ id, thread }: Message, to: string, boxId: string) {
  const whom = createHash('sha256').update(to).digest('hex').slice(0, 12)
  const place = `${boxId}.gatehouse.invalid`
  const root = thread && `<${thread}@${place}>`
  return {
    messageId: `<${id}.${whom}@${place}>`,
    ...(root && { inReplyTo: root, references: root }),
  }
}

function urgency({ severity, silent }: Message): Record<string, string> {
  if (silent) return { 'X-Priority': '5', Importance: 'low' }
  return severity === 'low' || severity === 'medium' ? {} : { 'X-Priority': '1', Importance: 'high' }
}

async function readCa(label: string, file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    throw channelDown(`${label}.ca: the file ${file} cannot be read.`)
  }
}
