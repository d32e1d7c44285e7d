import type { Track, TrackFrame } from '../../kinds/index.ts'
import { standsIn } from '../../vision/index.ts'
import type { Watch } from './watches.ts'

/** Seen twice within this, a thing was there in between: detectors miss some pictures and leave out others. */
const BETWEEN_MS = 5_000
/** Who is away for longer, and comes back, is there anew. */
const AWAY_MS = 10_000
/** A track that is told of without being looked for is believed for so long: what stands still is looked for less. */
const UNSEEN_MS = { moving: 2_000, stationary: 10_000 }
/** Messages in a row that are older than the newest one: then the sender's clock was set back. */
const MOST_LATE = 10
/** A detector that begins anew so often within this is two. */
const MOST_STARTS = 5
const TORN_MS = 60_000
/** Things that are followed on one camera at once. */
const MOST_TRACKS = 256

/** A thing has stayed for as long as a watch asks. */
export interface Stay {
  watch: Watch
  track: Track
  /** When it came (epoch ms, by the sender's clock). */
  since: number
  /** How long it has been there. */
  ms: number
  /** When the detector first told of it. */
  seenSince: number
  /** It is to be told once more, at the next picture that shows it there: nobody could take it. */
  again(): void
}

/** One thing in one zone, as long as it is not away for too long. */
interface Visit {
  since: number
  /** When it was last there. */
  at: number
  /** The same, if the time from then on counts. */
  countsFrom: number | null
  ms: number
  told: boolean
}

interface Followed {
  since: number
  at: number
  /** By watch and label. */
  visits: Map<string, Visit>
}

/**
 * The things that a detector follows on one camera: how long each has been where a workflow watches. Time is that of the
 * messages, whenever they arrive. Pure, and bounded whatever comes.
 */
export class CameraTracks {
  #watches: readonly Watch[] = []
  readonly #followed = new Map<string, Followed>()
  /** Of the newest message. */
  #at = Number.NEGATIVE_INFINITY
  #seq: number | null = null
  #late = 0
  /** When the detector began anew, the latest times. */
  #starts: number[] = []
  /** Messages that came out of order. */
  late = 0
  /** Things that were not followed because there were too many. */
  shed = 0

  /** Who is in a zone that is watched as before goes on being there. */
  watch(watches: readonly Watch[]): void {
    this.#watches = watches
    const keys = new Set(watches.flatMap(({ key, labels }) => [...labels].map(label => visitKey(key, label))))
    for (const { visits } of this.#followed.values())
      for (const key of visits.keys()) if (!keys.has(key)) visits.delete(key)
  }

  /** It begins anew all the time: there are two, and what one counts the other ends. */
  get isTorn(): boolean {
    return this.#starts.length === MOST_STARTS && this.#at - (this.#starts[0] ?? 0) <= TORN_MS
  }

  /** Takes one message in; answers who has stayed for long enough now. */
  take(frame: TrackFrame): Stay[] {
    if (frame.calibrating || !this.#isNext(frame)) return []
    const { at } = frame
    for (const [id, followed] of this.#followed) if (at - followed.at > AWAY_MS) this.#followed.delete(id)
    const stays: Stay[] = []
    for (const track of frame.tracks) {
      if (!isThere(track) || !this.#watches.some(({ labels }) => labels.has(track.label))) continue
      const followed = this.#follow(track.id, at)
      if (!followed) continue
      followed.at = at
      for (const watch of this.#watches) {
        const visit = watch.labels.has(track.label) ? visited(followed, watch, track, at) : null
        if (!visit || visit.told || visit.ms < watch.asked.min_seconds * 1000) continue
        visit.told = true
        const { since, ms } = visit
        const again = () => {
          visit.told = false
        }
        stays.push({ watch, track, since, ms, seenSince: followed.since, again })
      }
    }
    return stays
  }

  /** Whether a message is newer than those before. One of another start of the detector knows none of its tracks. */
  #isNext({ at, seq }: TrackFrame): boolean {
    if (at < this.#at) {
      this.late++
      if (++this.#late < MOST_LATE) return false
      this.#followed.clear()
    } else if (at > this.#at && seq !== null && this.#seq !== null && seq < this.#seq) {
      this.#followed.clear()
      this.#starts = [...this.#starts, at].slice(-MOST_STARTS)
    }
    this.#late = 0
    this.#at = at
    this.#seq = seq
    return true
  }

  #follow(id: string, at: number): Followed | null {
    const known = this.#followed.get(id)
    if (known) return known
    if (this.#followed.size >= MOST_TRACKS) {
      this.shed++
      return null
    }
    const followed = { since: at, at, visits: new Map<string, Visit>() }
    this.#followed.set(id, followed)
    return followed
  }
}

/** The visit of a track that is in the zone and counts there now; null: it is not, or does not. */
function visited({ visits }: Followed, watch: Watch, track: Track, at: number): Visit | null {
  const key = visitKey(watch.key, track.label)
  const known = visits.get(key)
  const visit = known && at - known.at <= AWAY_MS ? known : null
  if (watch.polygon && !standsIn(watch.polygon, track.box)) {
    if (visit) visit.countsFrom = null
    return null
  }
  if (track.stationary && !watch.asked.stationary) {
    // It is still there, so that it is no new one when it moves on; the time does not count.
    if (visit) Object.assign(visit, { at, countsFrom: null })
    return null
  }
  if (!visit) {
    const fresh = { since: at, at, countsFrom: at, ms: 0, told: false }
    visits.set(key, fresh)
    return fresh
  }
  if (visit.countsFrom !== null && at - visit.countsFrom <= BETWEEN_MS) visit.ms += at - visit.countsFrom
  visit.at = at
  visit.countsFrom = at
  return visit
}

/** Found on this picture, or not looked for since a moment ago; what was looked for and not found may be gone. */
function isThere({ misses, sinceMatchMs, stationary }: Track): boolean {
  return misses === 0 && sinceMatchMs <= (stationary ? UNSEEN_MS.stationary : UNSEEN_MS.moving)
}

function visitKey(watch: string, label: string): string {
  return `${watch} ${label}`
}
