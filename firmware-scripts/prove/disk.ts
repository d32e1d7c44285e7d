/** A disk with a label that is plugged into a box: a file of this machine, as a block device. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Machine, onHost } from './machine.ts'

/** Does something while the disk is plugged in. The container has no udev: its node and its link are made here. */
export async function withDisk<T>(machine: Machine, label: string, work: () => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-disk-'))
  const image = join(folder, 'image')
  await onHost('truncate', '-s', '64M', image)
  await onHost('mkfs.ext4', '-q', '-F', '-L', label, image)
  const device = (await onHost('losetup', '--find', '--show', image)).trim()
  try {
    const numbers = (await onHost('stat', '-c', '%Hr %Lr', device)).trim()
    await machine.run(
      `mknod ${device} b ${numbers}; mkdir -p /dev/disk/by-label; ln -sf ../../${basename(device)} /dev/disk/by-label/${label}`,
    )
    return await work()
  } finally {
    await machine.try(`rm -f ${device} /dev/disk/by-label/${label}`)
    await onHost('losetup', '--detach', device)
    await rm(folder, { recursive: true })
  }
}
