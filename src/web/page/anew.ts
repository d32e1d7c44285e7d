/** The box stops and starts by itself: the page waits for that, and comes back. */
const LOOK_MS = 400
/** A start that was quicker than the looks is over by then. */
const LONGEST_UP_MS = 20_000

/** Loads the page again once the box was away and takes work, or says what keeps it from that. */
export async function comeBack(): Promise<void> {
  const began = Date.now()
  let away = false
  for (;;) {
    const ready = await fetch('/ready', { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => null,
    )
    if (ready !== true) away = true
    if (ready && (away || Date.now() - began > LONGEST_UP_MS)) break
    await new Promise(resolve => window.setTimeout(resolve, LOOK_MS))
  }
  location.reload()
}
