import type { Severity } from '../../contract/index.ts'
import type { JsonValue } from '../../core/index.ts'

/** What somebody is told, before it has the form of a channel. Its texts come from outside: data, never markup. */
export interface Message {
  /** The same over all tries. */
  id: string
  kind: 'alert' | 'notify' | 'question' | 'summary' | 'test'
  severity: Severity
  /** One line. */
  title: string
  /** Lines; empty: the title says all. */
  body: string
  /** It is not to make a sound. */
  silent: boolean
  /** Where more of it is seen, and answered. */
  link: string | null
  /** A later message of the same thread takes the place of an earlier one. */
  thread: string | null
  at: string
  correlationId: string
  /** A picture that goes along, made small; null: there is none, or it could not be made. */
  picture: (() => Promise<MessagePicture | null>) | null
  /** The same for programs. */
  facts: { [name: string]: JsonValue }
}

export interface MessagePicture {
  bytes: Uint8Array
  /** `image/jpeg` … */
  type: string
}

/** The name under which a picture goes along. */
export function pictureName({ type }: MessagePicture): string {
  const end = /^image\/([a-z]{3,4})$/.exec(type)?.[1] ?? 'jpeg'
  return `picture.${end === 'jpeg' ? 'jpg' : end}`
}

/** A line without what would end or hide it. */
export function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/[\u202A-\u202E\u2066-\u2069]/gu, '')
    .trim()
}

/** Lines without anything else that steers. */
export function lines(text: string): string {
  return text.split(/\r?\n/).map(oneLine).join('\n').trim()
}
