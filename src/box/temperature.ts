import type { Clock } from '../core/index.ts'
import { type Heat, readHeat } from '../hardware/index.ts'
import type { Connection } from './connections.ts'

const EVERY_MS = 30_000
/** Cool enough again is this much below the limit. */
const AGAIN = 5

/** How hot the box is: too hot is a problem like that of a line, and people are told in the same way. */
export class Temperature implements Connection {
  readonly name = 'Temperature'
  problem: string | null = null
  readonly #clock: Clock
  readonly #read: () => Heat | null
  #cancel: () => void = () => {}

  constructor(clock: Clock, read: () => Heat | null = readHeat) {
    this.#clock = clock
    this.#read = read
  }

  async start(): Promise<void> {
    this.#look()
  }

  async reload(): Promise<void> {}

  async stop(): Promise<void> {
    this.#cancel()
  }

  #look(): void {
    const heat = this.#read()
    if (!heat || heat.celsius < heat.limit - (this.problem === null ? 0 : AGAIN)) this.problem = null
    else
      this.problem = `The box is too hot: ${heat.zone} has ${heat.celsius} °C (${heat.limit} at most). Give it air; it gets slow, then stops.`
    this.#cancel = this.#clock.after(EVERY_MS, () => this.#look())
  }
}
