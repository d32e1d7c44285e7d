import { cut, GatehouseError } from '../../core/index.ts'
import { type Message, oneLine } from './message.ts'

/** Hands messages to one kind of channel. */
export interface ChannelDriver {
  /**
   * Resolves once the receiver has it. Rejects with `neverTold` where this message can never get through, with
   * `heldUp` where this one has to wait and others need not, and with any other `GatehouseError` where nothing gets
   * through now. `at`: whom of the channel; null: it has one place only.
   */
  send(message: Message, at: string | null, signal: AbortSignal): Promise<void>
}

/** The channel works; this message is to be tried again. */
export function heldUp(message: string): GatehouseError {
  return new GatehouseError('held_up', message, { status: 502 })
}

/** The channel does not work: what to do about it, in one line. */
export function channelDown(message: string, cause?: unknown): GatehouseError {
  return new GatehouseError('channel_down', message, { status: 502, cause })
}

/** What the other side said, fit to be shown. */
export function said(text: unknown): string {
  return cut(oneLine(String(text ?? '')), 200)
}
