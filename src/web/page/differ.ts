/** What differs between two texts, line by line. */

export interface Line {
  /** `same`: in both; `gone`: in the first alone; `new`: in the second alone; `skip`: `text` says how many are left out. */
  is: 'same' | 'gone' | 'new' | 'skip'
  text: string
}

/** Shown around what differs. */
const AROUND = 3
/** Beyond that all of it is shown as gone and new: the page stays quick. */
const MOST_PAIRS = 4_000_000

export function differ(before: string, after: string): Line[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  const least = Math.min(a.length, b.length)
  let head = 0
  while (head < least && a[head] === b[head]) head++
  let tail = 0
  while (tail < least - head && a.at(-1 - tail) === b.at(-1 - tail)) tail++
  const same = (lines: string[]): Line[] => lines.map(text => ({ is: 'same', text }))
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ]
}

/** By the longest common run of lines. */
function middle(a: string[], b: string[]): Line[] {
  const width = b.length + 1
  const few = a.length * b.length <= MOST_PAIRS
  const longest = new Uint32Array(few ? (a.length + 1) * width : 0)
  const at = (i: number, j: number) => longest[i * width + j] ?? 0
  if (few)
    for (let i = a.length - 1; i >= 0; i--)
      for (let j = b.length - 1; j >= 0; j--)
        longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    if (few && i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ is: 'same', text: a[i] ?? '' })
      i++
      j++
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push({ is: 'gone', text: a[i++] ?? '' })
    else lines.push({ is: 'new', text: b[j++] ?? '' })
  }
  return lines
}

/** Without what is far from anything that differs. */
export function nearby(lines: readonly Line[]): Line[] {
  const near = new Set<number>()
  lines.forEach(({ is }, at) => {
    if (is !== 'same') for (let i = at - AROUND; i <= at + AROUND; i++) near.add(i)
  })
  const shown: Line[] = []
  let left = 0
  const skip = () => {
    if (left) shown.push({ is: 'skip', text: String(left) })
    left = 0
  }
  lines.forEach((line, at) => {
    if (near.has(at)) {
      skip()
      shown.push(line)
    } else left++
  })
  skip()
  return shown
}
