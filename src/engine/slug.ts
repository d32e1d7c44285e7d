const LONGEST = 60

/** A name as `[a-z0-9-]+`, with a number behind it where `taken` says so. */
export function slugOf(name: string, taken: (slug: string) => boolean): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, '')
  const base = plain || 'workflow'
  for (let n = 1; ; n++) {
    const slug = n === 1 ? base : `${base}-${n}`
    if (!taken(slug)) return slug
  }
}
