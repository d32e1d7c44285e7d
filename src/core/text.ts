/** A text with at most `most` characters (UTF-16 units); what was cut off shows. */
export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text
}

/** A time (epoch ms) as ISO 8601 in UTC. */
export function iso(at: number): string {
  return new Date(at).toISOString()
}
