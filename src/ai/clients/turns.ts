import type { ChatMessage } from '../language.ts'

/**
 * The same conversation with nobody speaking twice in a row: the templates of many models (Mistral's, Gemma's) have
 * their server refuse one in which user and assistant do not take turns. It still only grows at its end.
 */
export function inTurns(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = []
  for (const message of messages) {
    const before = turns.at(-1)
    if (before?.role !== message.role) {
      turns.push(message)
      continue
    }
    const pictures = [...(before.pictures ?? []), ...(message.pictures ?? [])]
    const text = `${before.text}\n\n${message.text}`
    turns[turns.length - 1] = { role: message.role, text, ...(pictures.length > 0 && { pictures }) }
  }
  return turns
}
