/** What a version changed, in people's words: the box says it by the paths of steps. */
import { speaker, term } from '../language.ts'
import { changed as de } from '../words/de/changed.ts'
import { changed as en } from '../words/en/changed.ts'
import { label, stepKind } from '../words.ts'

const { say, sayTerm } = speaker({ en, de })

/** `then[0].person[0]: alert title; limits` as `Step 1, then “Person”, step 1: “Alert” (title); Its limits`. */
export function changed(text: string): string {
  const said = text.split('; ').map(oneOf)
  // What somebody wrote, or another version of the box: better as it is than half of it.
  return said.every(one => one !== null) ? said.join('; ') : text
}

function oneOf(text: string): string | null {
  if (text === 'only its writing') return say('writing')
  if (text === 'first version') return say('first')
  if (text.startsWith('a version that this program does not understand')) return say('unknown')
  const [, n] = /^(?:back to version|and) (\d+)(?: more)?$/.exec(text) ?? []
  if (n !== undefined) return say(text.startsWith('and') ? 'more' : 'back', { n })
  if (!text.includes(': ')) return sayTerm(`part.${text === 'state written in the file' ? 'state' : text}`)
  const at = text.lastIndexOf(': ')
  const path = pathOf(text.slice(0, at))
  return path && stepOf(path, text.slice(at + 2))
}

function stepOf(path: string, what: string): string {
  if (what === 'name') return say('name', { path })
  const [, was, is] = /^(\w+) became (\w+)$/.exec(what) ?? []
  if (was && is) return say('became', { path, was: stepKind(was), kind: stepKind(is) })
  const [kind = '', ...rest] = what.split(' ')
  const params = rest.join(' ')
  if (params === 'added' || params === 'removed') return say(params, { path, kind: stepKind(kind) })
  return params
    ? say('is_in', { path, kind: stepKind(kind), what: params.replaceAll('_', ' ') })
    : say('is', { path, kind: stepKind(kind) })
}

/** `then[0]["Let in"][1]` as `Step 1, then “Let in”, step 2`; null: it is no path of a step. */
function pathOf(path: string): string | null {
  const root = /^(then|always)\[(\d+)\]/.exec(path)
  if (!root) return null
  let said = say(root[1] === 'then' ? 'step' : 'always', { n: Number(root[2]) + 1 })
  let rest = path.slice(root[0].length)
  while (rest) {
    const lane = /^(?:\.(\w+)|\["((?:[^"\\]|\\.)*)"\])\[(\d+)\]/.exec(rest)
    if (!lane) return null
    const name = lane[1] ?? lane[2] ?? ''
    said = say('after', {
      path: said,
      lane: lane[1] ? (term('decision', name) ?? label(name)) : name,
      n: Number(lane[3]) + 1,
    })
    rest = rest.slice(lane[0].length)
  }
  return said
}
