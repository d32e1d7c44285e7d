/** What was written and not saved is kept by the browser, and is of whoever wrote it: browsers are used by several. */
const KEPT = /^(gatehouse-draft-|gatehouse-site-|drawing )/
const WHOSE = 'gatehouse-drafts-of'

/** From now on they are of somebody: what others wrote here is gone. */
export function draftsAreOf(user: string): void {
  inEach(storage => {
    const before = storage.getItem(WHOSE)
    if (before !== null && before !== user) clear(storage)
    storage.setItem(WHOSE, user)
  })
}

/** Whoever leaves by themselves leaves nothing. */
export const dropDrafts = (): void => inEach(clear)

function clear(storage: Storage): void {
  for (const key of Object.keys(storage)) if (KEPT.test(key)) storage.removeItem(key)
}

function inEach(work: (storage: Storage) => void): void {
  try {
    work(localStorage)
    work(sessionStorage)
  } catch {
    // Nothing is kept in this browser.
  }
}
