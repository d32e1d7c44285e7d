import { type Heat, readHeat } from './heat.ts'
import { Root } from './read.ts'

/** How the machine is right now, as far as its kernel says. */
export interface MachineState {
  heat: Heat | null
  /** It runs slower than it could, for it is hot or has too little current; null: nothing says so or the contrary. */
  slowed: boolean | null
  memory: { total: number; available: number } | null
  /** Since it was switched on, seconds. */
  upSeconds: number | null
  /** Of an eMMC: the share of its life that is used up, in tenths, the worse of its two kinds of cells. */
  wear: { disk: string; usedPercent: number; endsSoon: boolean } | null
}

/** `path`: `/`, or the root that a test made. */
export function readState(path = '/'): MachineState {
  const root = new Root(path)
  return {
    heat: readHeat(path),
    slowed: slowed(root),
    memory: memory(root),
    upSeconds: number(root.text('proc/uptime')?.split(' ')[0]),
    wear: wear(root),
  }
}

/** Bytes of memory that a process holds; null: it is gone. */
export function residentBytes(pid: number, path = '/'): number | null {
  return kilobytes(new Root(path).text(`proc/${pid}/status`), 'VmRSS')
}

/** Bits of what a Raspberry Pi says: too little current, capped, throttled, too hot; right now. */
const PI_NOW = 0b1111

function slowed(root: Root): boolean | null {
  const pi = root.text('sys/devices/platform/soc/soc:firmware/get_throttled')
  if (pi !== null) return (Number.parseInt(pi, 16) & PI_NOW) !== 0
  const coolers = root
    .list('sys/class/thermal')
    .filter(name => /^cooling_device\d+$/.test(name))
    .filter(name => /cpu|processor/i.test(root.text(`sys/class/thermal/${name}/type`) ?? ''))
  if (!coolers.length) return null
  return coolers.some(name => (number(root.text(`sys/class/thermal/${name}/cur_state`)) ?? 0) > 0)
}

function memory(root: Root): MachineState['memory'] {
  const text = root.text('proc/meminfo')
  const [total, available] = [kilobytes(text, 'MemTotal'), kilobytes(text, 'MemAvailable')]
  return total === null || available === null ? null : { total, available }
}

/** `life_time` counts tenths from 1 (up to 10 % used) to 11 (used up); `pre_eol_info` from 1 (normal) to 3. */
function wear(root: Root): MachineState['wear'] {
  for (const disk of root.list('sys/class/block').filter(name => /^mmcblk\d+$/.test(name))) {
    const device = `sys/class/block/${disk}/device`
    const tenths = (root.text(`${device}/life_time`) ?? '').split(' ').map(each => Number.parseInt(each, 16))
    const worst = Math.max(...tenths.filter(each => each >= 1 && each <= 11), 0)
    if (worst === 0) continue
    const endsSoon = Number.parseInt(root.text(`${device}/pre_eol_info`) ?? '1', 16) > 1 || worst > 9
    return { disk, usedPercent: Math.min(100, worst * 10), endsSoon }
  }
  return null
}

function kilobytes(text: string | null, name: string): number | null {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text ?? '')?.[1]
  return found === undefined ? null : Number(found) * 1024
}

function number(text: string | null | undefined): number | null {
  return text && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null
}
