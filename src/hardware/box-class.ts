import type { Hardware, Preset } from './types.ts'

/** Share of the memory that the kernel leaves to programs, at least. */
const LEFT = 0.9

/**
 * What sort of box this is, as far as it matters to how a model does on it: `cpu-x64-4core-8gb`. Cores and memory by
 * powers of two, so that boxes of one sort are one class: of 7.6 GB that the kernel leaves, 8 were built in.
 */
export function boxClass({ arch, cpu, ramBytes }: Hardware, { preset }: Preset): string {
  const power = (n: number) => 2 ** Math.max(0, Math.floor(Math.log2(n)))
  return `${preset}-${arch}-${power(cpu.cores)}core-${power(ramBytes / 1024 ** 3 / LEFT)}gb`
}
