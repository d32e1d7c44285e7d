import { availableParallelism } from 'node:os'
import type { Root } from './read.ts'
import type { Cpu } from './types.ts'

/** Part numbers of ARM's own cores (MIDR_EL1, implementer 0x41): their `/proc/cpuinfo` has no model name. */
const armParts: Record<string, string> = {
  '0xd03': 'Cortex-A53',
  '0xd04': 'Cortex-A35',
  '0xd05': 'Cortex-A55',
  '0xd08': 'Cortex-A72',
  '0xd09': 'Cortex-A73',
  '0xd0a': 'Cortex-A75',
  '0xd0b': 'Cortex-A76',
  '0xd0c': 'Neoverse N1',
  '0xd41': 'Cortex-A78',
  '0xd42': 'Cortex-A78AE',
  '0xd44': 'Cortex-X1',
}

/** Model, cores and vector units, out of `/proc/cpuinfo` and `/sys/devices/system/cpu`. */
export function readCpu(root: Root): Cpu {
  const blocks = (root.text('proc/cpuinfo') ?? '').split(/\n\s*\n/).map(fieldsOf)
  const processors = blocks.filter(block => 'processor' in block)
  const first = processors[0] ?? {}
  const flags = new Set((first.flags ?? first.Features ?? '').split(/\s+/))
  const has = (flag: string) => flags.has(flag)
  const online = countOf(root.text('sys/devices/system/cpu/online'))
  return {
    model: first['model name'] ?? armParts[first['CPU part'] ?? ''] ?? null,
    cores: online || processors.length || (root.real ? availableParallelism() : 1),
    physical: physicalCores(processors),
    flags: {
      avx2: has('avx2'),
      avx512: has('avx512f'),
      vnni: has('avx512_vnni') || has('avx_vnni'),
      neon: has('asimd') || has('neon'),
      dotprod: has('asimddp'),
    },
  }
}

/** True under a hypervisor, as the processor itself says (x86). */
export function underHypervisor(root: Root): boolean {
  return /^flags\s*:.*\bhypervisor\b/m.test(root.text('proc/cpuinfo') ?? '')
}

function fieldsOf(block: string): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields[line.slice(0, colon).trim()] = line.slice(colon + 1).trim()
  }
  return fields
}

function physicalCores(processors: Record<string, string>[]): number | null {
  if (processors.length === 0) return null
  if (processors.some(processor => !('core id' in processor))) {
    // ARM lists no core ids and has no hyper-threads on the boards that this runs on.
    return processors.some(processor => 'CPU part' in processor) ? processors.length : null
  }
  return new Set(processors.map(processor => `${processor['physical id']}/${processor['core id']}`)).size
}

/** `0-3,6` are five. */
function countOf(ranges: string | null): number {
  let count = 0
  for (const range of (ranges ?? '').split(',')) {
    const [from, to = from] = range.split('-').map(Number)
    if (range !== '' && from !== undefined && to !== undefined && to >= from) count += to - from + 1
  }
  return count
}
