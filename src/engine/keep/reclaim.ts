import type { EngineDeps } from '../ports.ts'

/** What is free in the file is used again; it goes back to the disk where it is more than this, and this share. */
const FREE_BYTES = 64 * 1024 * 1024
const FREE_SHARE = 0.25

/**
 * Gives back to the disk what is free inside of the database, in small steps between the engine's turns. `all`: the
 * disk has too little room, so nothing of it is kept for later. `goOn` is asked before each step and may rest.
 */
export async function reclaim(
  { store }: Pick<EngineDeps, 'store'>,
  all: boolean,
  goOn: () => Promise<boolean>,
): Promise<void> {
  const { free, total } = store.retention.space()
  if (free === 0 || (!all && (free < FREE_BYTES || free < total * FREE_SHARE))) return
  const keep = all ? 0 : FREE_BYTES / 2
  for (let left = free; left > keep && (await goOn()); ) {
    const now = await store.write(() => store.retention.reclaim())
    // A file from before this was possible gives nothing back.
    if (now >= left) break
    left = now
  }
  store.checkpoint()
}
