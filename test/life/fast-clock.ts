import type { Clock } from '../../src/core/index.ts'

/** A site's time that passes `speed` times as quickly as the machine's, the same in every process that is told of it. */
export class FastClock implements Clock {
  /** `from`: where the site's time was when the machine's (epoch ms) was `began`. */
  constructor(
    readonly speed: number,
    readonly from: number,
    readonly began: number,
  ) {}

  now(): number {
    return Math.floor(this.from + (Date.now() - this.began) * this.speed)
  }

  after(ms: number, callback: () => void): () => void {
    const timer = setTimeout(callback, Math.min(ms / this.speed, 2 ** 31 - 1))
    return () => clearTimeout(timer)
  }

  /** As one word for a command line. */
  toString(): string {
    return [this.speed, this.from, this.began].join(',')
  }

  static of(word: string): FastClock {
    const [speed = 1, from = 0, began = 0] = word.split(',').map(Number)
    return new FastClock(speed, from, began)
  }
}
