/** Signatures of webhooks, after Standard Webhooks: HMAC-SHA256 over id, time and body. */
import { createHmac, timingSafeEqual } from 'node:crypto'

/** A signature is good for so long before and after its time. */
const TOLERANCE_MS = 5 * 60_000

/** The headers that go along with a signed body. */
export function signed(
  { id, body, now }: { id: string; body: string; now: number },
  secret: string,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const mac = macOf(id, timestamp, Buffer.from(body), secret)
  return { 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac.toString('base64')}` }
}

/** Why a signature is not good, as a sentence that says nothing of the secret; null: it is. */
export function wrongSignature(
  { headers, body, now }: { headers: Headers; body: Uint8Array; now: number },
  secret: string,
): string | null {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name =>
    headers.get(name),
  )
  if (!id || !timestamp || !signatures)
    return 'This webhook takes signed calls only: send webhook-id, webhook-timestamp and webhook-signature.'
  const at = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : Number.NaN
  if (!(Math.abs(now - at) <= TOLERANCE_MS))
    return 'The time of the signature is more than five minutes away: set the clocks of both by NTP.'
  const good = macOf(id, timestamp, body, secret)
  // All are compared: which of them is the right one shows in no time.
  const fits = signatures
    .split(' ')
    .slice(0, 16)
    .filter(each => each.startsWith('v1,') && isSame(each.slice(3), good))
  return fits.length ? null : 'The signature does not fit: look at the secret on both sides.'
}

function macOf(id: string, timestamp: string, body: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest()
}

/** `whsec_` and base64, as secrets of Standard Webhooks are written; any other text is the key itself. */
function keyOf(secret: string): Buffer {
  const plain = Buffer.from(secret)
  if (!secret.startsWith('whsec_')) return plain
  const base64 = secret.slice('whsec_'.length)
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? Buffer.from(base64, 'base64') : plain
}

function isSame(text: string, mac: Buffer): boolean {
  const shown = Buffer.from(text, 'base64')
  return shown.byteLength === mac.byteLength && timingSafeEqual(shown, mac)
}
