import { readFileSync } from 'node:fs'
import type { GgufHeader } from './header.ts'
import { Refusal } from './refusal.ts'

/** Bytes of a number in the model's memory of the conversation. */
const numberBytes = 2
/** What computing takes beside weights and memory: buffers and the library itself. */
const fixedBytes = 96 * 1024 * 1024
/** Left for everything else on the box. */
const reserveBytes = 256 * 1024 * 1024

/** Bytes that a model takes with room for so many tokens, about. */
export function needOf(header: GgufHeader, contextTokens: number, batchTokens: number): number {
  const conversation = header.layers * header.keysAndValues * contextTokens * numberBytes
  return header.bytes + conversation + header.vocabulary * batchTokens * 4 + fixedBytes
}

/** Throws `Refusal` where the model does not fit into `maxBytes`, or into what is free. */
export function holdToMemory(name: string, need: number, maxBytes: number | undefined): void {
  const free = freeBytes()
  const room = Math.min(maxBytes ?? Number.POSITIVE_INFINITY, free === null ? need : free - reserveBytes)
  if (need <= room) return
  const words = `${name} needs about ${gigabytes(need)} of memory and ${gigabytes(Math.max(0, room))} can be had`
  throw new Refusal('down', `${words}: choose a smaller model or a shorter context`)
}

/** What the kernel would give without swapping, within the limit of this service; null where it does not say. */
function freeBytes(): number | null {
  const available = /^MemAvailable:\s+(\d+) kB/m.exec(readText('/proc/meminfo'))?.[1]
  if (available === undefined) return null
  const group = /^0::(\/.*)$/m.exec(readText('/proc/self/cgroup'))?.[1] ?? '/'
  const limit = Number(readText(`/sys/fs/cgroup${group}/memory.max`) || Number.NaN)
  const free = Number(available) * 1024
  return Number.isFinite(limit) ? Math.min(free, limit) : free
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(bytes < 1e9 ? 2 : 1)} GB`
}
