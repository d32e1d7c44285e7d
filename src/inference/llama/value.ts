/** Where a text value stands in the text of a JSON object: its first letter, and the quote after it. */
export interface ValuePlace {
  start: number
  end: number
}

/**
 * Finds the value of `key` of the outermost object. Null where it is not there, is no text or is cut off. Reads only
 * as far as it must, so that an answer that broke off later will do.
 */
export function placeOfValue(text: string, key: string): ValuePlace | null {
  let depth = 0
  let at = 0
  let keyNext = false
  while (at < text.length) {
    const letter = text[at]
    if (letter === '"') {
      const end = endOfText(text, at)
      if (end === null) return null
      if (depth === 1 && keyNext && parsed(text.slice(at, end + 1)) === key) {
        const colon = /^\s*:\s*"/.exec(text.slice(end + 1))
        if (!colon) return null
        const start = end + 1 + colon[0].length
        const last = endOfText(text, start - 1)
        return last === null ? null : { start, end: last }
      }
      keyNext = false
      at = end
    } else if (letter === '{' || letter === '[') {
      depth++
      keyNext = letter === '{'
    } else if (letter === '}' || letter === ']') depth--
    else if (letter === ',') keyNext = true
    at++
  }
  return null
}

/** The quote that ends the text which begins at `from`. */
function endOfText(text: string, from: number): number | null {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return null
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
