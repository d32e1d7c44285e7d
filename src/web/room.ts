/** How much of bodies may be in memory at once, over all requests. */
import { GatehouseError } from '../core/index.ts'

/** Two and a half bodies of the largest size. */
const MOST_BYTES = 64 * 1024 * 1024

const rooms = new WeakMap<Request, Room>()

/** Where the body of a request is counted; null: nowhere. */
export const roomOf = (request: Request): Room | null => rooms.get(request) ?? null

/** The memory for bodies that are under way. What finds no room is refused and counted. */
export class BodyRoom {
  readonly #most: number
  #free: number
  /** Bodies that were refused. */
  shed = 0

  constructor(most = MOST_BYTES) {
    this.#most = most
    this.#free = most
  }

  /** Counts what is read of the request's body until `work` is done. */
  async during<T>(request: Request, work: () => T | Promise<T>): Promise<T> {
    const room = new Room(this)
    rooms.set(request, room)
    try {
      return await work()
    } finally {
      this.#free = Math.min(this.#most, this.#free + room.held)
    }
  }

  /** Throws `busy` where there is not so much room. */
  check(bytes: number): void {
    if (bytes <= this.#free) return
    this.shed++
    throw new GatehouseError('busy', 'Too much is being sent at once: send it again in a moment.', {
      status: 503,
    })
  }

  take(bytes: number): void {
    this.check(bytes)
    this.#free -= bytes
  }
}

/** The part of one request. */
class Room {
  readonly #whole: BodyRoom
  held = 0

  constructor(whole: BodyRoom) {
    this.#whole = whole
  }

  /** Throws `busy` where there is not so much room. */
  check(bytes: number): void {
    this.#whole.check(bytes)
  }

  /** Throws `busy` where there is not so much room. */
  take(bytes: number): void {
    this.#whole.take(bytes)
    this.held += bytes
  }
}
