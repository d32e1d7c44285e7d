import type { Severity } from '../contract/index.ts'

interface Named {
  name: string
  /** More messages a minute to one address are summed up in one. */
  perMinute: number
  /** Pictures go along where the channel can. */
  pictures: boolean
}

interface Secret {
  secret: string
}

/** A topic of an ntfy server. */
export interface NtfyChannel extends Named {
  kind: 'ntfy'
  /** No credentials, no slash at the end. */
  url: URL
  /** Where a person names no other. */
  topic: string | null
  token: Secret | null
}

/** A mail server that takes mails of this box. */
export interface SmtpChannel extends Named {
  kind: 'smtp'
  /** As in a URL. */
  host: string
  port: number
  /** `tls` from the first byte, `starttls` before anything is told, or `none`. */
  security: 'tls' | 'starttls' | 'none'
  /** Absolute path of the certificate that signed its own; null: whom this machine trusts. */
  ca: string | null
  from: string
  /** Where a person names no other. */
  to: string | null
  user: string | null
  password: Secret | null
}

/** A listed destination: an address, or a topic on the broker. */
export interface ListedChannel extends Named {
  kind: 'webhook' | 'mqtt'
  destination: string
}

/** A notification service of Home Assistant. */
export interface HomeChannel extends Named {
  kind: 'home_assistant'
  /** Where a person names no other. */
  service: string | null
}

/** How people are told. */
export type Channel = NtfyChannel | SmtpChannel | ListedChannel | HomeChannel

/** A person at a channel. */
export interface PersonAt {
  channel: string
  /** Topic or mail address; null: the channel's own. */
  at: string | null
  /** Milder ones are not told there. */
  from: Severity
}

/** How one person is told. */
export interface Reached {
  channels: readonly PersonAt[]
  /** By the site's clock; over midnight where `to` is not after `from`. */
  quiet: { from: string; to: string; days: readonly string[] | null } | null
}

/** How the people of a site are told. */
export interface Reach {
  channels: ReadonlyMap<string, Channel>
  people: ReadonlyMap<string, Reached>
  /** Who is told alerts: `role:owner`, `person:ann`, `channel:mail`. */
  alerts: { to: readonly string[]; from: Severity }
  /** Where people open the page of this box, without a slash at the end; null: messages bear no link. */
  page: string | null
}
