import { GatehouseError } from '../../core/index.ts'
import type { ExchangeAnswer } from './exchange.ts'

/**
 * Throws `destination_unanswered` where a page for people came from what speaks JSON to programs: a login page, a
 * proxy's, a router's. It says that all is well whatever was asked of it, so nobody knows whether anything was done.
 */
export function noPage({ header, body }: ExchangeAnswer, label: string, place: string): void {
  const start = new TextDecoder().decode(body.subarray(0, 64)).trimStart().toLowerCase()
  if (!/^text\/html\b/i.test(header('content-type') ?? '') && !/^<(!doctype|html)/.test(start)) return
  throw new GatehouseError(
    'destination_unanswered',
    `${label} answered with a web page: look whether ${place} is the address of its API.`,
    { status: 502 },
  )
}
