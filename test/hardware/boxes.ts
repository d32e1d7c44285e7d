/** Root folders of known boxes, made for a test: the files that the probe reads, with what such boxes have in them. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

export interface Box {
  files: Record<string, string>
  /** Link → target, both from the root. */
  links?: Record<string, string>
}

const made: string[] = []

/** Lays the box out in a temporary folder and returns that. */
export function lay(...boxes: Box[]): string {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-box-'))
  made.push(root)
  for (const { files, links = {} } of boxes) {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    for (const [link, target] of Object.entries(links)) {
      mkdirSync(dirname(join(root, link)), { recursive: true })
      mkdirSync(dirname(join(root, target)), { recursive: true })
      symlinkSync(relative(dirname(join(root, link)), join(root, target)), join(root, link))
    }
  }
  return root
}

export function clear(): void {
  for (const root of made.splice(0)) rmSync(root, { recursive: true })
}

const x86 = (model: string, cores: number, threads: number, flags: string) =>
  Array.from(
    { length: cores * threads },
    (_, n) =>
      `processor\t: ${n}\nmodel name\t: ${model}\nphysical id\t: 0\ncore id\t\t: ${n % cores}\nflags\t\t: fpu sse2 ${flags}\n`,
  ).join('\n')

const mount = (device: string, type: string, source: string, point = '/') =>
  `21 26 0:20 / /proc rw,relatime - proc proc rw\n26 1 ${device} / ${point} rw,relatime shared:1 - ${type} ${source} rw\n`

const libc = (version: string) =>
  `\x7fELF\0\0GNU C Library (Debian GLIBC ${version}-9) stable release version ${version}.\nCopyright (C)\0`

/** A card under `/sys/class/drm`, as PCI devices appear there. */
export function card(n: number, slot: string, driver: string, files: Record<string, string>): Box {
  const device = `sys/devices/pci0000:00/${slot}`
  return {
    files: {
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`${device}/${name}`, `${text}\n`])),
      [`${device}/drm/card${n}/dev`]: `226:${n}\n`,
      [`${device}/drm/renderD${128 + n}/dev`]: `226:${128 + n}\n`,
      [`sys/bus/pci/drivers/${driver}/bind`]: '',
      [`dev/dri/renderD${128 + n}`]: '',
    },
    links: {
      [`${device}/driver`]: `sys/bus/pci/drivers/${driver}`,
      [`${device}/drm/card${n}/device`]: device,
      [`sys/class/drm/card${n}`]: `${device}/drm/card${n}`,
    },
  }
}

const n100Graphics = card(0, '0000:00:02.0', 'i915', { vendor: '0x8086', device: '0x46d1' })

/** A mini PC with Intel's N100 and NVMe, whose maker filled in half of the firmware's tables. */
export const n100: Box = {
  files: {
    ...n100Graphics.files,
    'proc/cpuinfo': x86('Intel(R) N100', 4, 1, 'avx2 avx_vnni sha_ni'),
    'proc/meminfo': 'MemTotal:       16119060 kB\nMemFree:        12000000 kB\n',
    'proc/self/mountinfo': mount('259:2', 'ext4', '/dev/nvme0n1p2'),
    'sys/devices/system/cpu/online': '0-3\n',
    'sys/class/dmi/id/sys_vendor': 'Default string\n',
    'sys/class/dmi/id/product_name': 'Default string\n',
    'sys/class/dmi/id/board_vendor': 'AZW\n',
    'sys/class/dmi/id/board_name': 'MINI S\n',
    'sys/devices/pci0000:00/0000:00:1d.0/nvme/nvme0/nvme0n1/nvme0n1p2/partition': '2\n',
    'sys/class/drm/version': 'drm 1.1.0 20060810\n',
    'lib/x86_64-linux-gnu/libc.so.6': libc('2.36'),
  },
  links: {
    ...n100Graphics.links,
    'sys/dev/block/259:2': 'sys/devices/pci0000:00/0000:00:1d.0/nvme/nvme0/nvme0n1/nvme0n1p2',
  },
}

/** A Raspberry Pi 5 on its SD card; `/dev/root` is what its kernel calls the source. */
export const pi5: Box = {
  files: {
    'proc/cpuinfo': `${Array.from(
      { length: 4 },
      (_, n) =>
        `processor\t: ${n}\nBogoMIPS\t: 108.00\nFeatures\t: fp asimd evtstrm aes crc32 asimdhp cpuid asimdrdm lrcpc dcpop asimddp\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x4\nCPU part\t: 0xd0b\nCPU revision\t: 1\n`,
    ).join('\n')}\nRevision\t: d04170\nModel\t\t: Raspberry Pi 5 Model B Rev 1.0\n`,
    'proc/device-tree/model': 'Raspberry Pi 5 Model B Rev 1.0\0',
    'proc/meminfo': 'MemTotal:        8255168 kB\n',
    'proc/self/mountinfo': mount('179:2', 'ext4', '/dev/root'),
    'sys/devices/system/cpu/online': '0-3\n',
    'sys/devices/platform/axi/1000fff000.mmc/mmc_host/mmc0/mmc0:aaaa/type': 'SD\n',
    'sys/devices/platform/axi/1000fff000.mmc/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0/mmcblk0p2/partition':
      '2\n',
    'sys/devices/platform/axi/1002000000.v3d/uevent': '',
    'sys/bus/platform/drivers/v3d/bind': '',
    'dev/dri/renderD128': '',
    'dev/hailo0': '',
    'lib/aarch64-linux-gnu/libc.so.6': libc('2.36'),
  },
  links: {
    'sys/dev/block/179:2':
      'sys/devices/platform/axi/1000fff000.mmc/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0/mmcblk0p2',
    'sys/devices/platform/axi/1000fff000.mmc/mmc_host/mmc0/mmc0:aaaa/block/mmcblk0/device':
      'sys/devices/platform/axi/1000fff000.mmc/mmc_host/mmc0/mmc0:aaaa',
    'sys/class/drm/card0/device': 'sys/devices/platform/axi/1002000000.v3d',
    'sys/devices/platform/axi/1002000000.v3d/driver': 'sys/bus/platform/drivers/v3d',
  },
}

/** A mini PC of 2011: two cores with hyper-threads, no AVX2, a SATA hard disk, little memory, an old system. */
export const old: Box = {
  files: {
    'proc/cpuinfo': x86('Intel(R) Core(TM) i3-2120T CPU @ 2.60GHz', 2, 2, 'avx'),
    'proc/meminfo': 'MemTotal:        1400000 kB\n',
    'proc/self/mountinfo': mount('8:1', 'ext4', '/dev/sda1'),
    'sys/devices/system/cpu/online': '0-3\n',
    'sys/class/dmi/id/sys_vendor': 'Hewlett-Packard\n',
    'sys/class/dmi/id/product_name': 'HP Compaq 8200 Elite USDT PC\n',
    'sys/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda/sda1/partition': '1\n',
    'sys/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda/queue/rotational': '1\n',
    'lib/x86_64-linux-gnu/libc.so.6': libc('2.31'),
  },
  links: {
    'sys/dev/block/8:1': 'sys/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0/block/sda/sda1',
  },
}

const vmScreen = card(0, '0000:00:01.0', 'virtio-pci', { vendor: '0x1af4', device: '0x1050' })

/** A virtual machine with an encrypted volume on a virtio disk; the kernel shows one of its two cores online. */
export const vm: Box = {
  files: {
    ...vmScreen.files,
    'proc/cpuinfo': x86('AMD EPYC', 1, 1, 'avx2 avx512f avx512_vnni hypervisor'),
    'proc/meminfo': 'MemTotal:        4028440 kB\n',
    'proc/self/mountinfo': mount('253:0', 'ext4', '/dev/mapper/root'),
    'sys/devices/system/cpu/online': '0\n',
    'sys/class/dmi/id/sys_vendor': 'QEMU\n',
    'sys/class/dmi/id/product_name': 'Standard PC (Q35 + ICH9, 2009)\n',
    'sys/devices/pci0000:00/0000:00:05.0/virtio2/block/vda/vda1/partition': '1\n',
    'sys/devices/virtual/block/dm-0/dm/name': 'root\n',
  },
  links: {
    ...vmScreen.links,
    'sys/dev/block/253:0': 'sys/devices/virtual/block/dm-0',
    'sys/devices/virtual/block/dm-0/slaves/vda1':
      'sys/devices/pci0000:00/0000:00:05.0/virtio2/block/vda/vda1',
  },
}

/** NVIDIA's own driver with one card, as `/proc` shows it. */
export const nvidia: Box = {
  files: {
    'proc/driver/nvidia/gpus/0000:01:00.0/information':
      'Model: \t\t NVIDIA GeForce RTX 3060\nIRQ:   \t\t 178\nGPU UUID: \t GPU-1\nDevice Minor: \t 0\n',
    'dev/nvidia0': '',
    'dev/nvidiactl': '',
  },
}
