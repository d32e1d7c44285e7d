import type { LlamaModel, Token } from 'node-llama-cpp'

/** Tokens that are spelt out before others get a turn. */
const slice = 4096

/** Longest token that is looked for. */
export const longestPiece = 48

/** Which tokens say a text; made once for a model. */
export type Vocabulary = ReadonlyMap<string, readonly Token[]>

/** Spells out every ordinary token: takes some 100 ms for 32,000, in slices. */
export async function vocabularyOf(model: LlamaModel): Promise<Vocabulary> {
  // Behind another token, because some vocabularies drop a space at the very beginning.
  const before = model.tokenize('a', false).slice(0, 1)
  const tokens = new Map<string, Token[]>()
  let spelt = 0
  for (const token of model.iterateAllTokens()) {
    if (++spelt % slice === 0) await new Promise(resolve => setImmediate(resolve))
    const text = model.detokenize([token], false, before)
    // Pieces of a letter and tokens of the template say no text.
    if (!text || text.length > longestPiece || text.includes('\u{fffd}')) continue
    const same = tokens.get(text)
    if (same) same.push(token)
    else tokens.set(text, [token])
  }
  return tokens
}
