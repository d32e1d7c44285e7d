/** The name that was probably meant: at most a third of its letters away, or null. */
export function nearest(name: string, names: readonly string[]): string | null {
  let best: string | null = null
  let least = Math.floor(Math.min(name.length, 40) / 3) + 1
  for (const other of names) {
    if (other === name || Math.abs(other.length - name.length) >= least) continue
    const far = distance(name, other)
    if (far < least) [best, least] = [other, far]
  }
  return best
}

/** How many letters must be inserted, dropped, changed or swapped with their neighbour to make one text of the other. */
function distance(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : change
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
