/** From YAML text to a plain tree that knows where each node stands. Everything unusual in YAML is refused here. */
import { Composer, type CST, isScalar, type ParsedNode } from 'yaml'
import { oddCharacter } from './characters.ts'
import type { Reporter } from './reporter.ts'
import { DEEPEST, scanTokens, TOO_DEEP } from './source-scan.ts'
import { tokensOf } from './source-tokens.ts'
import { toSrc } from './source-tree.ts'
import type { Json } from './types.ts'
import { reportSyntax } from './yaml-errors.ts'

/** The largest file that is read, in UTF-8 bytes: thirty times what a workflow takes. */
export const MOST_BYTES = 64 * 1024

export interface Range {
  /** UTF-16 offsets in the text: `[from, to)`. */
  from: number
  to: number
}

export interface Entry {
  key: string
  keyFrom: number
  keyTo: number
  value: Src
}

export type SrcMap = Range & { type: 'map'; flow: boolean; entries: Entry[] }
export type SrcList = Range & { type: 'list'; flow: boolean; items: Src[] }
export type SrcScalar = Range & { type: 'scalar'; plain: boolean; value: null | boolean | number | string }
/** A node that is there and could not be read; the problem has been reported. */
export type SrcBroken = Range & { type: 'broken' }
export type Src = SrcMap | SrcList | SrcScalar | SrcBroken

const encoder = new TextEncoder()

/** Reads one YAML document; null where there is nothing to go on with (the reasons are reported). */
export function readSource(text: string, reporter: Reporter): Src | null {
  const whole = (code: string, message: string, from = 0) => {
    reporter.report({ severity: 'error', code, path: '', message, from, to: from })
    return null
  }
  if (text.length > MOST_BYTES || encoder.encode(text).length > MOST_BYTES) {
    return whole(
      'file_too_large',
      `A workflow file has at most ${MOST_BYTES / 1024} KiB: shorten it or split it.`,
    )
  }
  const odd = oddCharacter(text)
  if (odd >= 0) return whole('control_character', 'Remove the invisible or broken character here.', odd)
  try {
    const { tokens, tooDeepAt } = tokensOf(text, 2 * DEEPEST)
    if (tooDeepAt !== null) return whole(TOO_DEEP.code, TOO_DEEP.message, tooDeepAt)
    if (!scanTokens(tokens, text, reporter)) return null
    return compose(tokens, text, reporter)
  } catch {
    return whole('yaml_syntax', 'This is not YAML that can be read: write it anew, step by step.')
  }
}

function compose(tokens: CST.Token[], text: string, reporter: Reporter): Src | null {
  const options = {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
  } as const
  const [document] = new Composer(options).compose(tokens)
  if (document && document.errors.length > 0) {
    reportSyntax(document.errors, text, reporter)
    return null
  }
  const contents = document?.contents as ParsedNode | null | undefined
  if (!contents || (isScalar(contents) && contents.value === null)) {
    reporter.report({
      severity: 'error',
      code: 'empty_file',
      path: '',
      message: 'The file is empty: a workflow has at least name, when and then.',
      from: 0,
      to: 0,
    })
    return null
  }
  return toSrc(contents, text, reporter, '')
}

/** The value that a node stands for. */
export function toJson(src: Src): Json {
  switch (src.type) {
    case 'map':
      // fromEntries makes own properties of every key.
      return Object.fromEntries(src.entries.map(({ key, value }) => [key, toJson(value)]))
    case 'list':
      return src.items.map(toJson)
    case 'scalar':
      return src.value
    case 'broken':
      return null
  }
}

export const entryOf = (src: Src, key: string): Entry | undefined =>
  src.type === 'map' ? src.entries.find(entry => entry.key === key) : undefined
