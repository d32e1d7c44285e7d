/** What brokers and the network say, in words that tell what to do. */
import { messageOf } from '../../core/index.ts'

/** Reason codes of MQTT 3.1.1 and 5 that have something to do about them. */
const REFUSALS: Readonly<Record<number, string>> = {
  2: 'it does not take our name there: set mqtt.client_id',
  3: 'it takes nobody at the moment',
  133: 'it does not take our name there: set mqtt.client_id',
  135: 'it does not allow that to mqtt.user: look which topics it may use there',
  136: 'it takes nobody at the moment',
  137: 'it is busy',
  138: 'it has banned this box',
  139: 'it is stopping',
  141: 'it heard nothing from this box for too long',
  142: 'somebody else came by our name there: set mqtt.client_id to one of its own',
  144: 'it does not take that topic',
  149: 'the message is too large for it',
  150: 'it takes no more messages at that rate',
  151: 'a quota there is used up',
}

/** It does not know the version of MQTT that we spoke. */
export function isOldProtocol(code: number): boolean {
  return code === 1 || code === 132
}

/** Why it does not let us in. */
export function whyShutOut(code: number): string {
  return [4, 5, 134, 135].includes(code)
    ? 'it refuses mqtt.user or its password: check both'
    : whyRefused(code)
}

/** Why it did not take something, or broke off. */
export function whyRefused(code: number): string {
  return REFUSALS[code] ?? `it refuses, for reason ${code}`
}

const NO_CONNECTION = /^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EHOSTDOWN|ETIMEDOUT|ConnectionRefused)$/
const NO_HANDSHAKE = /CERT|SELF_SIGNED|UNABLE_TO|WRONG_VERSION|HANDSHAKE|SSL/

export function whyUnreached(error: unknown): string {
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  if (NO_CONNECTION.test(code)) return 'nothing answers there'
  if (NO_HANDSHAKE.test(code))
    return 'no secure connection came about: check that it speaks TLS, and its certificate (mqtt.ca)'
  if (error === undefined || code === 'ECONNRESET') return 'the broker closed the connection'
  return messageOf(error) === 'connack timeout' ? 'it does not answer as a broker' : messageOf(error)
}
