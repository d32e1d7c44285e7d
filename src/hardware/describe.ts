import { describeMeasured, type Measured, measuredLimits } from './measured.ts'
import type { DiskKind, Gpu, Hardware, Preset } from './types.ts'

const gigabyte = 1e9

const diskNames: Record<DiskKind, string> = {
  emmc: 'eMMC',
  sd: 'SD card',
  nvme: 'NVMe',
  ssd: 'SSD',
  hdd: 'hard disk',
  usb: 'USB drive',
  virtual: 'virtual disk',
  memory: 'memory (lost at a restart)',
  unknown: 'disk of an unknown kind',
}

/** What the program was built against, and so the oldest that it starts with. */
const leastGlibc = [2, 34] as const

/** Things about this box that its owner may want to change, one sentence each. */
export function notesOn(hardware: Hardware): string[] {
  const notes: string[] = []
  const { kind, path, freeBytes } = hardware.disk
  if (kind === 'sd' || kind === 'usb') {
    notes.push(
      `The data lies on ${kind === 'sd' ? 'an SD card' : 'a USB drive'}: an SSD lasts longer and is quicker.`,
    )
  }
  if (kind === 'memory')
    notes.push(`The data under ${path} lies in memory and is lost at a restart: choose another --data.`)
  if (freeBytes !== null && freeBytes < 2 * gigabyte)
    notes.push(`Less than 2 GB are free at ${path}: make room.`)
  if (hardware.ramBytes > 0 && hardware.ramBytes < 1.5 * gigabyte) {
    notes.push('Less than 1.5 GB of memory: looking at pictures may fail while much else runs.')
  }
  const { avx2, neon } = hardware.cpu.flags
  if (hardware.cpu.model !== null && !avx2 && !neon)
    notes.push('The processor has no AVX2: looking at a picture takes several times longer.')
  const [major = 0, minor = 0] = (hardware.glibc ?? '').split('.').map(Number)
  if (
    hardware.glibc !== null &&
    (major < leastGlibc[0] || (major === leastGlibc[0] && minor < leastGlibc[1]))
  ) {
    notes.push(
      `The system's C library is ${hardware.glibc}; 2.34 or newer is needed (Debian 12, Ubuntu 22.04).`,
    )
  }
  return notes
}

/** The text of `gatehouse hardware`: what was found, what was chosen, and why. */
export function describe(hardware: Hardware, preset: Preset, measured: Measured | null): string {
  const { cpu, disk } = hardware
  const rows: [string, string][] = [
    ['board', `${hardware.board ?? 'unknown'}${hardware.virtual ? ' (a virtual machine)' : ''}`],
    [
      'processor',
      [cpu.model ?? 'unknown', coresText(hardware), flagsText(hardware)].filter(Boolean).join(', '),
    ],
    ['memory', hardware.ramBytes > 0 ? `${(hardware.ramBytes / 1024 ** 3).toFixed(1)} GB` : 'unknown'],
    ...listed('graphics', hardware.gpus.map(gpuText)),
    ...listed(
      'accelerator',
      hardware.npus.map(name => `${name} (not used yet)`),
    ),
    [
      'disk',
      `${diskNames[disk.kind]}${disk.freeBytes === null ? '' : `, ${bytesText(disk.freeBytes)} free`} at ${disk.path}`,
    ],
    ['system', `${hardware.arch}, ${hardware.glibc === null ? 'no glibc found' : `glibc ${hardware.glibc}`}`],
  ]
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  const notes = notesOn(hardware).map(note => `Note: ${note}`)
  return [
    ...rows.map(([name, text]) => name.padEnd(width) + text),
    '',
    `Preset "${preset.preset}": at most ${preset.calls} tool calls and ${preset.seconds} seconds for an AI step.`,
    preset.why,
    ...describeMeasured(measured, preset),
    ...notes,
  ].join('\n')
}

/** The same for programs: `gatehouse hardware --json` and the API. */
export function hardwareJson(hardware: Hardware, preset: Preset, measured: Measured | null) {
  const { cpu, disk } = hardware
  const { turns, calls, seconds } = measuredLimits(preset, measured)
  return {
    arch: hardware.arch,
    board: hardware.board,
    virtual: hardware.virtual,
    cpu: { model: cpu.model, cores: cpu.cores, physical_cores: cpu.physical, flags: cpu.flags },
    ram_bytes: hardware.ramBytes,
    gpus: hardware.gpus.map(gpu => ({
      vendor: gpu.vendor,
      name: gpu.name,
      driver: gpu.driver,
      memory_bytes: gpu.memoryBytes,
      usable: gpu.usable.yes,
      why: gpu.usable.why,
    })),
    npus: hardware.npus,
    disk: { path: disk.path, kind: disk.kind, free_bytes: disk.freeBytes },
    glibc: hardware.glibc,
    preset: preset.preset,
    limits: { calls, seconds, turns },
    measured: measured && { ...measured, at: new Date(measured.at).toISOString() },
    why: preset.why,
    notes: notesOn(hardware),
  }
}

function listed(name: string, texts: string[]): [string, string][] {
  if (texts.length === 0) return [[name, 'none']]
  return texts.map(text => [name, text])
}

function gpuText(gpu: Gpu): string {
  const memory = gpu.memoryBytes === null ? '' : `, ${bytesText(gpu.memoryBytes)}`
  return `${gpu.name}${gpu.driver === null ? '' : ` (${gpu.driver})`}${memory}: ${gpu.usable.why}`
}

function coresText({ cpu }: Hardware): string {
  const threads = cpu.physical !== null && cpu.physical < cpu.cores ? ` (${cpu.physical} physical)` : ''
  return `${cpu.cores} ${cpu.cores === 1 ? 'core' : 'cores'}${threads}`
}

function flagsText({ cpu }: Hardware): string {
  const { avx2, avx512, vnni, neon, dotprod } = cpu.flags
  return [avx512 ? 'AVX-512' : avx2 && 'AVX2', vnni && 'VNNI', neon && 'NEON', dotprod && 'dot products']
    .filter(Boolean)
    .join(', ')
}

/** Disks are sold in powers of ten, memory (above) in powers of two. */
function bytesText(bytes: number): string {
  const gigabytes = bytes / gigabyte
  return gigabytes < 1 ? `${Math.round(bytes / 1e6)} MB` : `${gigabytes.toFixed(gigabytes < 10 ? 1 : 0)} GB`
}
