import { dlopen } from 'bun:ffi'

const PR_SET_PDEATHSIG = 1
const SIGKILL = 9n

/**
 * Has the kernel kill this process the moment its parent dies (prctl(2), Linux): even a process that hangs in
 * native code, which would never notice that its channel closed, then outlives nobody. False where the system
 * has no such call; the closed channel must do there.
 */
export function dieWithParent(): boolean {
  try {
    const libc = dlopen('libc.so.6', {
      prctl: { args: ['int', 'u64', 'u64', 'u64', 'u64'], returns: 'int' },
    })
    return libc.symbols.prctl(PR_SET_PDEATHSIG, SIGKILL, 0n, 0n, 0n) === 0
  } catch {
    return false
  }
}
