import type { tellPeople } from '../engine/index.ts'
import type { Store } from '../store/index.ts'

/** The box tells people something that belongs to no run. */
export type Tell = (news: Parameters<typeof tellPeople>[0]) => Promise<void>

const TITLE = 'Safe mode: nothing runs'
/** Notices among which it has to be. */
const LATEST = 3

/** People are told why nothing runs, once until other things are to be told. */
export async function tellSafe(why: string, store: Store, tell: Tell): Promise<void> {
  if (store.notices.list({ limit: LATEST }).some(({ title }) => title === TITLE)) return
  const how = 'The box tries again by itself every half hour; to have it try now: gatehouse rescue --clear'
  await tell({ title: TITLE, body: `${why} The page and what is stored can be reached. ${how}` })
}
