/** Ids that leave the box. Rows inside it use integers. */

/** `<prefix>_` and 12 random hex digits, as the NVR's events and alerts bear them. */
export function mintId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6))
  return `${prefix}_${Buffer.from(bytes).toString('hex')}`
}

/** 32 url-safe characters (192 bits) that nobody guesses: webhook ids, tokens. */
export function mintSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')
}
