/** What two people changed at once, by names: as one where they did not change the same. */

export type Named<V> = Readonly<Record<string, V>>

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Null: both changed something of the same name, and differently. */
export function merged<V>(base: Named<V>, mine: Named<V>, theirs: Named<V>): Record<string, V> | null {
  const result: Record<string, V> = { ...theirs }
  for (const name of new Set([...Object.keys(base), ...Object.keys(mine)])) {
    const [was, is, other] = [at(base, name), at(mine, name), at(theirs, name)]
    if (same(was, is) || same(is, other)) continue
    if (!same(was, other)) return null
    if (is === undefined) delete result[name]
    else result[name] = is
  }
  return result
}

/** One line for each of those that differ: as they are in the first, and in the second. */
export function differing<V>(
  before: Named<V>,
  after: Named<V>,
  line: (name: string, value: V) => string,
): [string, string] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const other = names.filter(name => !same(at(before, name), at(after, name)))
  const lines = (of: Named<V>) =>
    other.flatMap(name => {
      const value = at(of, name)
      return value === undefined ? [] : [line(name, value)]
    })
  return [lines(before).join('\n'), lines(after).join('\n')]
}

const at = <V>(of: Named<V>, name: string): V | undefined => (Object.hasOwn(of, name) ? of[name] : undefined)
