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

/** How many letters must be inserted, dropped or changed to make one text of the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
