import { arch, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { readCpu, underHypervisor } from './cpu.ts'
import { readDisk } from './disk.ts'
import { readGpus, readNpus } from './gpu.ts'
import { Root } from './read.ts'
import type { Hardware } from './types.ts'

export interface ProbeOptions {
  /** Another root folder than the machine's own, for tests. */
  root?: string
  /** The folder whose disk is asked about, absolute; default the working directory. */
  dataPath?: string
}

/**
 * Looks at the box through `/proc`, `/sys` and `/dev` only. Never throws: what cannot be read (a container, a
 * strict service) is null, empty or `unknown`. Takes a few milliseconds.
 */
export function probe(options: ProbeOptions = {}): Hardware {
  const root = new Root(options.root ?? '/')
  const board = boardOf(root)
  return {
    arch: arch(),
    board,
    virtual: underHypervisor(root) || /QEMU|KVM|VMware|VirtualBox|Virtual Machine|Xen/i.test(board ?? ''),
    cpu: readCpu(root),
    ramBytes: ramOf(root),
    gpus: readGpus(root),
    npus: readNpus(root),
    disk: readDisk(root, options.dataPath ?? resolve('.')),
    glibc: glibcOf(root),
  }
}

/** What makers leave in fields that they never filled. */
const placeholder =
  /^(default string|to be filled|system (manufacturer|product)|not applicable|none|o\.e\.m\.|unknown)/i

/** The device tree's model (ARM boards), else maker and product of the firmware's tables (PCs). */
function boardOf(root: Root): string | null {
  const tree = root.text('proc/device-tree/model')
  if (tree !== null) return tree
  const dmi = (name: string) => {
    const text = root.text(`sys/class/dmi/id/${name}`)
    return text === null || placeholder.test(text) ? null : text
  }
  const pair = (maker: string | null, name: string | null) => name && [maker, name].filter(Boolean).join(' ')
  return pair(dmi('sys_vendor'), dmi('product_name')) ?? pair(dmi('board_vendor'), dmi('board_name'))
}

function ramOf(root: Root): number {
  const kilobytes = /^MemTotal:\s+(\d+) kB/m.exec(root.text('proc/meminfo') ?? '')?.[1]
  if (kilobytes !== undefined) return Number(kilobytes) * 1024
  return root.real ? totalmem() : 0
}

/** GNU's C library says its version in a text that it carries inside. */
function glibcOf(root: Root): string | null {
  const folders = ['lib/x86_64-linux-gnu', 'lib/aarch64-linux-gnu', 'lib64', 'usr/lib64', 'usr/lib', 'lib']
  for (const folder of folders) {
    const banner = root.textInside(`${folder}/libc.so.6`, 'GNU C Library', 200)
    const version = /release version (\d+\.\d+)/.exec(banner ?? '')?.[1]
    if (version !== undefined) return version
  }
  return null
}
