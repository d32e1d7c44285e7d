export interface Cpu {
  /** As the kernel names it; null where it does not (a strict service may not read `/proc/cpuinfo`). */
  model: string | null
  /** Logical cores that are online. */
  cores: number
  /** Cores without their hyper-threads; null where unknown. */
  physical: number | null
  /** What makes inference quick: 256- and 512-bit vectors and 8-bit dot products (x86), the same of ARM. */
  flags: { avx2: boolean; avx512: boolean; vnni: boolean; neon: boolean; dotprod: boolean }
}

export interface Gpu {
  vendor: 'nvidia' | 'amd' | 'intel' | 'other'
  name: string
  driver: string | null
  /** Its own memory; null where the kernel does not say. */
  memoryBytes: number | null
  /** Why a language model would run on it, or why not. */
  usable: { yes: boolean; why: string }
}

export type DiskKind = 'emmc' | 'sd' | 'nvme' | 'ssd' | 'hdd' | 'usb' | 'virtual' | 'memory' | 'unknown'

export interface Hardware {
  /** `x64`, `arm64`, as the runtime names it. */
  arch: string
  board: string | null
  virtual: boolean
  cpu: Cpu
  ramBytes: number
  gpus: Gpu[]
  /** Accelerators for neural networks, by name; nothing here uses them yet. */
  npus: string[]
  /** Where the data lies. */
  disk: { path: string; kind: DiskKind; freeBytes: number | null }
  /** Version of the C library; null where there is another one. */
  glibc: string | null
}

/** What AI steps may take on this box. */
export interface Preset {
  preset: 'cpu' | 'gpu'
  /** Tool calls of one AI step. */
  calls: number
  /** Seconds of one AI step. */
  seconds: number
  why: string
}
