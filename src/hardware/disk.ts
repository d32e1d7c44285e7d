import { statfsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Root } from './read.ts'
import type { DiskKind } from './types.ts'

/** What the folder `path` lies on, and how much room is left there. */
export function readDisk(
  root: Root,
  path: string,
): { path: string; kind: DiskKind; freeBytes: number | null } {
  return { path, kind: kindOf(root, path), freeBytes: freeBytes(join(root.path, path)) }
}

function kindOf(root: Root, path: string): DiskKind {
  const mount = mountOf(root, path)
  if (!mount) return 'unknown'
  if (mount.type === 'tmpfs' || mount.type === 'ramfs') return 'memory'
  // Btrfs and ZFS give a device number of their own: there the source names the device.
  const numbered = root.resolve(`sys/dev/block/${mount.device}`)
  const named = root.resolve(
    `sys/class/block/${basename(root.resolve(mount.source.slice(1)) ?? mount.source)}`,
  )
  const block = numbered ?? named
  return block === null ? 'unknown' : kindOfBlock(root, block)
}

/** `block` is a folder under `/sys/devices`. */
function kindOfBlock(root: Root, block: string): DiskKind {
  // Encrypted and logical volumes stand on others: the first tells enough.
  const below = root.list(`${block}/slaves`)[0]
  const under = below === undefined ? null : root.resolve(`${block}/slaves/${below}`)
  if (under !== null) return kindOfBlock(root, under)
  const disk = root.exists(`${block}/partition`) ? dirname(block) : block
  const name = basename(disk)
  if (name.startsWith('mmcblk')) return root.text(`${disk}/device/type`) === 'SD' ? 'sd' : 'emmc'
  if (name.startsWith('nvme')) return 'nvme'
  if (/^x?vd/.test(name)) return 'virtual'
  if (/^(zram|ram)/.test(name)) return 'memory'
  if (disk.includes('/usb')) return 'usb'
  const vendor = root.text(`${disk}/device/vendor`) ?? ''
  if (/QEMU|VMware|VBOX|Msft|Virtual/i.test(vendor)) return 'virtual'
  if (name.startsWith('sd')) return root.text(`${disk}/queue/rotational`) === '1' ? 'hdd' : 'ssd'
  return 'unknown'
}

interface Mount {
  device: string
  type: string
  source: string
}

/** The mount with the longest path that holds `path` (proc(5), mountinfo); the last of equals is on top. */
function mountOf(root: Root, path: string): Mount | null {
  let best: { point: string; mount: Mount } | null = null
  for (const line of (root.text('proc/self/mountinfo') ?? '').split('\n')) {
    const [head = '', tail = ''] = line.split(' - ')
    const device = head.split(' ')[2]
    const point = unescapeOctal(head.split(' ')[4] ?? '')
    const [type = '', source = ''] = tail.split(' ')
    const inside = path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`)
    if (!device || !inside || (best && best.point.length > point.length)) continue
    best = { point, mount: { device, type, source: unescapeOctal(source) } }
  }
  return best?.mount ?? null
}

/** Blanks stand as octal `\040` there. */
function unescapeOctal(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

/** Free for an ordinary user, at `path` or the nearest folder above it that exists. */
function freeBytes(path: string): number | null {
  for (let at = path; ; at = dirname(at)) {
    try {
      const stats = statfsSync(at)
      return stats.bavail * stats.bsize
    } catch {
      if (at === dirname(at)) return null
    }
  }
}
