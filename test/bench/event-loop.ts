/**
 * The longest time that this process computed without letting its event loop turn while `work` was done, ms. Time that
 * it waited for a processor, which others had, is not its own and does not count.
 */
export async function longestBlock(work: () => Promise<void>): Promise<number> {
  let longest = 0
  let running = true
  let turned = performance.now()
  let computed = process.cpuUsage()
  const turn = (): void => {
    const used = process.cpuUsage(computed)
    const between = performance.now() - turned
    longest = Math.max(longest, Math.min(between, (used.user + used.system) / 1000))
    turned = performance.now()
    computed = process.cpuUsage()
    if (running) setTimeout(turn, 1)
  }
  turn()
  try {
    await work()
  } finally {
    running = false
  }
  return longest
}
