/** Ids of what is told by the stream: by them whoever comes back is told what followed. */
import type { Principal } from './access/index.ts'

/** Where somebody is in the stream. */
export interface Place {
  /** Of the process that told it. */
  life: string
  seq: number
  /** Of what they may see: whoever sees something else by now begins anew. */
  key: string
  /** The newest run and notice that had been told of by then. */
  run: number
  notice: number
}

/** As the `id` of an event. */
export const idOf = ({ life, seq, key, run, notice }: Place): string =>
  `${life}.${seq}.${key}.${run}.${notice}`

/** A place out of what a browser sends as `Last-Event-ID`; null: it is none. */
export function placeOf(id: string | null): Place | null {
  const parts = /^([a-z0-9]{1,16})\.(\d{1,15})\.([a-z0-9]{1,16})\.(\d{1,15})\.(\d{1,15})$/.exec(id ?? '')
  if (!parts) return null
  const [, life = '', seq, key = '', run, notice] = parts
  return { life, seq: Number(seq), key, run: Number(run), notice: Number(notice) }
}

/** What somebody may see, in a word; who they are is not in it. */
export function sightKey({ may, cameras, user }: Principal): string {
  const seen = [cameras && [...cameras].sort(), may.has('workflows.manage'), cameras === null ? null : user]
  return Bun.hash(JSON.stringify(seen)).toString(36)
}
