/** The texts that stand in our sources, read from the sources themselves: a new one is missed by nobody. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const src = join(import.meta.dirname, '../../src')

/** What is filled into a text while the box runs. */
export const HOLE = '§'

interface Literal {
  texts: string[]
  from: number
  to: number
}

/** File → the texts in it; one that is filled in has holes, one with a choice in it stands there once for each. */
export function textsIn(folder: string): Map<string, string[]> {
  const names = readdirSync(join(src, folder), { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter(name => name.endsWith('.ts'))
      .map(name => {
        const path = join(folder, name)
        return [path, literalsOf(readFileSync(join(src, path), 'utf8')).flatMap(({ texts }) => texts)]
      }),
  )
}

/** A whole sentence for people: what is logged begins small. */
export const isSentence = (text: string): boolean =>
  /^[A-Z§`"{][^\n]*\s[^\n]*[.?…§)]$/.test(text) && /[a-z]{2,} [a-z]/.test(text)

/** All texts of a source, in its order; those put together with `+` as one. */
export function literalsOf(source: string): Literal[] {
  const found: Literal[] = []
  let at = 0
  while (at < source.length) {
    const [here, next] = [source[at], source[at + 1]]
    if (here === '/' && next === '/') at = endOf(source, '\n', at)
    else if (here === '/' && next === '*') at = endOf(source, '*/', at + 2)
    else if (here === '/' && /(^|[(,=:[!&|?{};>]|return)\s*$/.test(source.slice(Math.max(at - 20, 0), at)))
      at = afterRegex(source, at + 1)
    else if (here === "'" || here === '"' || here === '`') {
      const literal = here === '`' ? template(source, at) : quoted(source, at)
      const before = found.at(-1)
      if (before && /^\s*\+\s*$/.test(source.slice(before.to, at)))
        before.texts = before.texts.flatMap(one => literal.texts.map(other => one + other))
      else found.push(literal)
      const last = found.at(-1)
      if (last) last.to = literal.to
      at = literal.to
    } else at++
  }
  return found
}

const endOf = (source: string, mark: string, from: number) => {
  const at = source.indexOf(mark, from)
  return at < 0 ? source.length : at + mark.length
}

function afterRegex(source: string, from: number): number {
  let inClass = false
  for (let at = from; at < source.length; at++) {
    const here = source[at]
    if (here === '\n') return at
    if (here === '\\') at++
    else if (here === '[') inClass = true
    else if (here === ']') inClass = false
    else if (here === '/' && !inClass) return at + 1
  }
  return source.length
}

function quoted(source: string, from: number): Literal {
  let text = ''
  for (let at = from + 1; at < source.length; at++) {
    const here = source[at]
    if (here === source[from] || here === '\n') return { texts: [text], from, to: at + 1 }
    text += here === '\\' ? escaped(source[++at]) : here
  }
  return { texts: [text], from, to: source.length }
}

const escaped = (mark = '') => ({ n: '\n', t: '\t' })[mark] ?? mark

function template(source: string, from: number): Literal {
  let texts = ['']
  const add = (more: readonly string[]) => {
    texts = texts.flatMap(text => more.map(one => text + one))
  }
  for (let at = from + 1; at < source.length; at++) {
    const here = source[at] ?? ''
    if (here === '`') return { texts, from, to: at + 1 }
    if (here === '\\') add([escaped(source[++at])])
    else if (here === '$' && source[at + 1] === '{') {
      const end = afterBrace(source, at + 2)
      add(choices(source.slice(at + 2, end)))
      at = end
    } else add([here])
  }
  return { texts, from, to: source.length }
}

/** Where the brace stands that closes the present one. */
function afterBrace(source: string, from: number): number {
  let depth = 0
  for (let at = from; at < source.length; at++) {
    const here = source[at] ?? ''
    if (here === '`') at = template(source, at).to - 1
    else if (here === "'" || here === '"') at = quoted(source, at).to - 1
    else if (here === '{') depth++
    else if (here === '}' && depth-- === 0) return at
  }
  return source.length
}

/** What stands in a hole: both texts of a choice between two, else a hole. */
function choices(inside: string): string[] {
  const literals = literalsOf(inside)
  const [one, other] = literals.slice(-2)
  const isChoice =
    one &&
    other &&
    /\?\s*$/.test(inside.slice(0, one.from)) &&
    /^\s*:\s*$/.test(inside.slice(one.to, other.from))
  return isChoice && inside.slice(other.to).trim() === '' ? [...one.texts, ...other.texts] : [HOLE]
}
