/** Looks over YAML's tokens before anything is built of them: depth, and what workflow files do without. */
import type { CST } from 'yaml'
import { type Reporter, replaceRange } from './reporter.ts'

/** Deeper than twenty steps within each other. */
export const DEEPEST = 100
export const TOO_DEEP = {
  code: 'too_deep',
  message: `Nothing may be nested deeper than ${DEEPEST} levels.`,
}

interface Refusal {
  code: string
  message: string
  removable?: boolean
}

const REFUSED: Readonly<Record<string, Refusal>> = {
  anchor: {
    code: 'yaml_anchor',
    message: 'Anchors are not part of workflow files: take it out.',
    removable: true,
  },
  tag: { code: 'yaml_tag', message: 'Tags are not part of workflow files: take it out.', removable: true },
  alias: { code: 'yaml_alias', message: 'Aliases are not part of workflow files: write the value out.' },
  directive: {
    code: 'yaml_directive',
    message: 'Directives are not part of workflow files: take the line out.',
  },
}

/** Reports what is refused; false where the tokens must not be composed. */
export function scanTokens(tokens: readonly CST.Token[], text: string, reporter: Reporter): boolean {
  const refuse = (offset: number, length: number, { code, message, removable }: Refusal) => {
    const end = offset + length
    const fix = removable
      ? { fix: replaceRange('Take it out', offset, text[end] === ' ' ? end + 1 : end, '') }
      : {}
    reporter.report({ severity: 'error', code, path: '', message, from: offset, to: end, ...fix })
  }
  const documents = tokens.filter(token => token.type === 'document')
  const second = documents[1]
  if (second) {
    refuse(second.offset, 0, {
      code: 'yaml_documents',
      message: 'A workflow file holds one document: put the second into a file of its own.',
    })
    return false
  }
  const stack: { token: CST.Token | null | undefined; depth: number }[] = []
  for (const token of tokens) stack.push({ token, depth: 0 })
  let directive = false
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { token, depth } = next
    if (!token) continue
    if (depth > DEEPEST) {
      refuse(token.offset, 0, TOO_DEEP)
      return false
    }
    const refusal = REFUSED[token.type]
    if (refusal) refuse(token.offset, 'source' in token ? token.source.length : 0, refusal)
    if (token.type === 'directive') directive = true
    for (const child of children(token)) stack.push({ token: child, depth: depth + 1 })
  }
  return !directive
}

function* children(token: CST.Token): Iterable<CST.Token | null | undefined> {
  if (token.type === 'document') {
    yield* token.start
    yield token.value
  }
  if (token.type === 'block-scalar') yield* token.props
  if (!('items' in token)) return
  for (const item of token.items) {
    yield* item.start
    yield item.key
    yield* item.sep ?? []
    yield item.value
  }
}
