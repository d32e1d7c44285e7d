/** A small reader of GBNF that says texts of a grammar: what the embedded model could say, without one. */
export type Random = (below: number) => number

type Item =
  | { is: 'text'; text: string }
  | { is: 'class'; negated: boolean; ranges: [number, number][] }
  | { is: 'rule'; name: string }
  | { is: 'group'; ways: Repeated[][] }
type Repeated = { item: Item; least: number; most: number }

export class Grammar {
  readonly #rules = new Map<string, Repeated[][]>()
  #source = ''
  #at = 0

  constructor(source: string) {
    for (const line of source.split('\n').filter(each => each.trim())) {
      const [, name = '', body = ''] = /^([a-z][a-z0-9-]*) ::= (.*)$/.exec(line) ?? []
      if (!name) throw new Error(`no rule: ${line}`)
      this.#source = body
      this.#at = 0
      this.#rules.set(name, this.#ways())
      if (this.#at < body.length) throw new Error(`not read: ${body.slice(this.#at)}`)
    }
  }

  /** One text of the grammar. Long repetitions come short, at their longest, and in between. */
  say(random: Random): string {
    return this.#say(this.#rule('root'), random)
  }

  #rule(name: string): Repeated[][] {
    const rule = this.#rules.get(name)
    if (!rule) throw new Error(`no rule ${name}`)
    return rule
  }

  #say(ways: Repeated[][], random: Random): string {
    const way = ways[random(ways.length)] ?? []
    return way
      .map(({ item, least, most }) => {
        const times = random(8) === 0 ? most : least + random(Math.min(most - least, 12) + 1)
        return Array.from({ length: times }, () => this.#one(item, random)).join('')
      })
      .join('')
  }

  #one(item: Item, random: Random): string {
    if (item.is === 'text') return item.text
    if (item.is === 'rule') return this.#say(this.#rule(item.name), random)
    if (item.is === 'group') return this.#say(item.ways, random)
    const holds = (code: number) => item.ranges.some(([from, to]) => code >= from && code <= to)
    for (;;) {
      const [from, to] = item.negated
        ? [0, random(3) ? 0x7f : 0x2ffff]
        : (item.ranges[random(item.ranges.length)] ?? [0, 0])
      const code = from + random(to - from + 1)
      const surrogate = code >= 0xd800 && code <= 0xdfff
      if (!surrogate && holds(code) !== item.negated) return String.fromCodePoint(code)
    }
  }

  #ways(): Repeated[][] {
    const ways: Repeated[][] = [[]]
    for (;;) {
      this.#spaces()
      const next = this.#source[this.#at]
      if (next === undefined || next === ')') return ways
      if (next === '|') {
        this.#at++
        ways.push([])
      } else ways.at(-1)?.push(this.#repeated())
    }
  }

  #repeated(): Repeated {
    const item = this.#item()
    const [all = '', sign, least = '', most = ''] =
      /^(?:([?*+])|\{(\d+),(\d+)\})/.exec(this.#source.slice(this.#at)) ?? []
    this.#at += all.length
    if (sign === '?') return { item, least: 0, most: 1 }
    if (sign) throw new Error('a repetition without bound')
    return all ? { item, least: Number(least), most: Number(most) } : { item, least: 1, most: 1 }
  }

  #item(): Item {
    const next = this.#source[this.#at]
    if (next === '"') return { is: 'text', text: String.fromCodePoint(...this.#until('"')) }
    if (next === '[') return this.#class()
    if (next === '(') {
      this.#at++
      const ways = this.#ways()
      this.#at++
      return { is: 'group', ways }
    }
    const [name = ''] = /^[a-z][a-z0-9-]*/.exec(this.#source.slice(this.#at)) ?? []
    if (!name) throw new Error(`not read: ${this.#source.slice(this.#at)}`)
    this.#at += name.length
    return { is: 'rule', name }
  }

  #class(): Item {
    const negated = this.#source[this.#at + 1] === '^'
    if (negated) this.#at++
    const ranges: [number, number][] = []
    const codes = this.#until(']', true)
    for (let i = 0; i < codes.length; i++) {
      const [from = 0, dash, to = 0] = codes.slice(i, i + 3)
      if (dash === -1) i += 2
      ranges.push([from, dash === -1 ? to : from])
    }
    return { is: 'class', negated, ranges }
  }

  /** Code points up to the closing sign; -1: a dash that makes a range. */
  #until(end: string, dashes = false): number[] {
    const codes: number[] = []
    for (this.#at++; this.#source[this.#at] !== end; ) {
      const rest = this.#source.slice(this.#at)
      const [all = '', hex] =
        /^\\(?:x([0-9A-F]{2})|u([0-9A-F]{4})|n|"|\\)/.exec(rest)?.filter(part => part !== undefined) ?? []
      if (all) codes.push(hex ? Number.parseInt(hex, 16) : all === '\\n' ? 10 : (all.codePointAt(1) ?? 0))
      else if (!rest || rest.startsWith('\\')) throw new Error(`not read: ${rest}`)
      else codes.push(dashes && rest.startsWith('-') && codes.length ? -1 : (rest.codePointAt(0) ?? 0))
      this.#at += all.length || String.fromCodePoint(rest.codePointAt(0) ?? 0).length
    }
    this.#at++
    return codes
  }

  #spaces(): void {
    while (this.#source[this.#at] === ' ') this.#at++
  }
}
