/** YAML text → tokens, given up as soon as it nests too deeply: a parser spends seconds on brackets alone. */
import { type CST, Lexer, Parser } from 'yaml'

export interface Tokens {
  tokens: CST.Token[]
  /** Where it becomes deeper than allowed (UTF-16 offset): the tokens are then not all there. */
  tooDeepAt: number | null
}

/** `deepest`: maps and lists within each other. `onNewLine` is told where each line begins. */
export function tokensOf(text: string, deepest: number, onNewLine?: (offset: number) => void): Tokens {
  const parser = new Parser(onNewLine)
  const tokens: CST.Token[] = []
  onNewLine?.(0)
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token)
    // Beside the collections a document and a scalar are open.
    if (parser.stack.length > deepest + 2) return { tokens, tooDeepAt: parser.offset }
  }
  for (const token of parser.end()) tokens.push(token)
  return { tokens, tooDeepAt: null }
}
