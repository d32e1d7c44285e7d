import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, describe as group, test } from 'vitest'
import { choosePreset, describe, hardwareJson, notesOn, probe } from '../../src/hardware/index.ts'
import { type Box, card, clear, lay, n100, nvidia, old, pi5, vm } from './boxes.ts'

afterAll(clear)

const look = (...boxes: Box[]) => probe({ root: lay(...boxes), dataPath: '/' })

group('known boxes', () => {
  test('a mini PC with an N100', () => {
    const hardware = look(n100)
    expect(hardware).toMatchObject({
      board: 'AZW MINI S',
      virtual: false,
      cpu: {
        model: 'Intel(R) N100',
        cores: 4,
        physical: 4,
        flags: { avx2: true, avx512: false, vnni: true, neon: false, dotprod: false },
      },
      ramBytes: 16119060 * 1024,
      npus: [],
      disk: { path: '/', kind: 'nvme' },
      glibc: '2.36',
    })
    expect(hardware.gpus).toEqual([
      {
        vendor: 'intel',
        name: 'Intel 0x46d1',
        driver: 'i915',
        memoryBytes: null,
        usable: { yes: false, why: 'it is integrated: no quicker than the processor' },
      },
    ])
    expect(choosePreset(hardware)).toEqual({
      preset: 'cpu',
      calls: 4,
      seconds: 120,
      why: 'Intel 0x46d1 is not used: it is integrated: no quicker than the processor.',
    })
    expect(notesOn(hardware)).toEqual([])
  })

  test('a Raspberry Pi 5', () => {
    const hardware = look(pi5)
    expect(hardware).toMatchObject({
      board: 'Raspberry Pi 5 Model B Rev 1.0',
      virtual: false,
      cpu: { model: 'Cortex-A76', cores: 4, physical: 4, flags: { avx2: false, neon: true, dotprod: true } },
      npus: ['Hailo'],
      disk: { kind: 'sd' },
      glibc: '2.36',
    })
    expect(hardware.gpus.map(gpu => [gpu.driver, gpu.usable.yes])).toEqual([['v3d', false]])
    expect(choosePreset(hardware).preset).toBe('cpu')
    expect(notesOn(hardware)).toEqual(['The data lies on an SD card: an SSD lasts longer and is quicker.'])
  })

  test('an old mini PC', () => {
    const hardware = look(old)
    expect(hardware).toMatchObject({
      board: 'Hewlett-Packard HP Compaq 8200 Elite USDT PC',
      cpu: { cores: 4, physical: 2, flags: { avx2: false } },
      gpus: [],
      disk: { kind: 'hdd' },
      glibc: '2.31',
    })
    const notes = notesOn(hardware).join('\n')
    expect(notes).toContain('no AVX2')
    expect(notes).toContain('2.34 or newer is needed')
    expect(notes).toContain('Less than 1.5 GB of memory')
  })

  test('a virtual machine', () => {
    const hardware = look(vm)
    expect(hardware).toMatchObject({
      board: 'QEMU Standard PC (Q35 + ICH9, 2009)',
      virtual: true,
      cpu: { cores: 1, physical: 1, flags: { avx512: true, vnni: true } },
      disk: { kind: 'virtual' },
      glibc: null,
    })
    expect(hardware.gpus.map(gpu => gpu.usable.yes)).toEqual([false])
  })
})

group('graphics', () => {
  test('NVIDIA with its own driver is used, and not without its devices', () => {
    expect(choosePreset(look(n100, nvidia))).toEqual({
      preset: 'gpu',
      calls: 6,
      seconds: 45,
      why: 'NVIDIA GeForce RTX 3060: it computes through /dev/nvidia0.',
    })
    const root = lay(n100, nvidia)
    rmSync(join(root, 'dev/nvidiactl'))
    expect(choosePreset(probe({ root, dataPath: '/' })).preset).toBe('cpu')
  })

  test('a card with its own driver is listed once, one with another driver is not used', () => {
    const drm = card(1, '0000:01:00.0', 'nvidia', { vendor: '0x10de', device: '0x2504' })
    expect(look(nvidia, drm).gpus.map(gpu => gpu.name)).toEqual(['NVIDIA GeForce RTX 3060'])
    const nouveau = card(1, '0000:01:00.0', 'nouveau', { vendor: '0x10de', device: '0x2504' })
    expect(look(nouveau).gpus.map(gpu => [gpu.driver, gpu.usable.yes])).toEqual([['nouveau', false]])
    expect(look(nvidia, nouveau).gpus).toHaveLength(2)
  })

  test('AMD and Intel are used where they have memory of their own and a device', () => {
    const amd = (bytes: number) =>
      card(0, '0000:03:00.0', 'amdgpu', {
        vendor: '0x1002',
        device: '0x73ff',
        mem_info_vram_total: String(bytes),
      })
    expect(choosePreset(look(amd(8 * 1024 ** 3))).preset).toBe('gpu')
    expect(choosePreset(look(amd(512 * 1024 ** 2))).preset).toBe('cpu')
    expect(
      choosePreset(look(card(0, '0000:03:00.0', 'xe', { vendor: '0x8086', device: '0x56a0' }))).preset,
    ).toBe('gpu')
    const root = lay(amd(8 * 1024 ** 3))
    rmSync(join(root, 'dev/dri'), { recursive: true })
    expect(choosePreset(probe({ root, dataPath: '/' })).why).toContain('no device for computing')
  })

  test('a Jetson computes though it has no PCI card', () => {
    expect(choosePreset(look({ files: { 'dev/nvhost-gpu': '' } })).preset).toBe('gpu')
  })
})

group('disks', () => {
  const at = (mountinfo: string, dataPath: string, box: Box) =>
    probe({ root: lay(box, { files: { 'proc/self/mountinfo': mountinfo } }), dataPath }).disk.kind
  const emmc: Box = {
    files: {
      'sys/devices/mmc0/mmc0:0001/block/mmcblk0/mmcblk0p1/partition': '1',
      'sys/devices/mmc0/mmc0:0001/type': 'MMC\n',
    },
    links: {
      'sys/dev/block/179:1': 'sys/devices/mmc0/mmc0:0001/block/mmcblk0/mmcblk0p1',
      'sys/devices/mmc0/mmc0:0001/block/mmcblk0/device': 'sys/devices/mmc0/mmc0:0001',
    },
  }

  test('the innermost mount counts, the last of equals, and blanks are unescaped', () => {
    const mounts = [
      '1 0 0:9 / / rw - tmpfs tmpfs rw',
      '2 1 179:1 / /var/lib/my\\040data rw - ext4 /dev/mmcblk0p1 rw',
      '3 1 0:9 / /srv rw - ext4 /dev/sdx rw',
      '4 1 179:1 / /srv rw - ext4 /dev/mmcblk0p1 rw',
    ].join('\n')
    expect(at(mounts, '/var/lib/my data/gatehouse', emmc)).toBe('emmc')
    expect(at(mounts, '/var/lib/my database', emmc)).toBe('memory')
    expect(at(mounts, '/srv', emmc)).toBe('emmc')
  })

  test('btrfs is found by the name of its device, USB by its path, and what is strange is unknown', () => {
    const usb: Box = {
      files: { 'sys/devices/pci0/usb2/2-1/host1/block/sda/sda1/partition': '1', 'dev/sda1': '' },
      links: { 'sys/class/block/sda1': 'sys/devices/pci0/usb2/2-1/host1/block/sda/sda1' },
    }
    expect(at('1 0 0:33 /@ / rw - btrfs /dev/sda1 rw', '/', usb)).toBe('usb')
    expect(at('1 0 0:44 / / rw - overlay overlay rw', '/', usb)).toBe('unknown')
    expect(at('nonsense\n - \n1 0', '/', usb)).toBe('unknown')
  })
})

test('an empty root is described without a crash', () => {
  const hardware = look({ files: {} })
  expect(hardware).toMatchObject({
    board: null,
    gpus: [],
    npus: [],
    ramBytes: 0,
    disk: { kind: 'unknown' },
    glibc: null,
  })
  expect(hardware.disk.freeBytes).toBeGreaterThan(0)
  expect(describe(hardware, choosePreset(hardware), null)).toContain('board        unknown')
})

test('the text says what was found, what was chosen and why, and the JSON the same', () => {
  const hardware = look(n100)
  hardware.disk.freeBytes = 41_200_000_000
  hardware.arch = 'x64'
  const preset = choosePreset(hardware)
  expect(describe(hardware, preset, null)).toBe(
    [
      'board        AZW MINI S',
      'processor    Intel(R) N100, 4 cores, AVX2, VNNI',
      'memory       15.4 GB',
      'graphics     Intel 0x46d1 (i915): it is integrated: no quicker than the processor',
      'accelerator  none',
      'disk         NVMe, 41 GB free at /',
      'system       x64, glibc 2.36',
      '',
      'Preset "cpu": at most 4 tool calls and 120 seconds for an AI step.',
      'Intel 0x46d1 is not used: it is integrated: no quicker than the processor.',
      'Not measured yet: "gatehouse hardware --measure" takes two minutes at most.',
    ].join('\n'),
  )
  expect(JSON.parse(JSON.stringify(hardwareJson(hardware, preset, null)))).toMatchObject({
    cpu: { model: 'Intel(R) N100', cores: 4, physical_cores: 4 },
    disk: { kind: 'nvme', free_bytes: 41_200_000_000 },
    preset: 'cpu',
    limits: { calls: 4, seconds: 120, turns: null },
    measured: null,
  })
})

test('the version of the C library is found wherever it lies in the file', () => {
  const banner = 'GNU C Library (Ubuntu GLIBC 2.39-0ubuntu8) stable release version 2.39.\n'
  for (const [before, after] of [
    [0, 0],
    [0, 600_000],
    [600_000, 10],
    // The banner lies across the border of two pieces that are read.
    [10_000, 256 * 1024 - 40],
  ] as const) {
    const library = 'x'.repeat(before) + banner + 'y'.repeat(after)
    expect(look({ files: { 'lib64/libc.so.6': library } }).glibc).toBe('2.39')
  }
  expect(look({ files: { 'lib64/libc.so.6': 'musl' } }).glibc).toBe(null)
})

test('the running machine is read', () => {
  const hardware = probe({ dataPath: '/nowhere/yet' })
  expect(hardware.cpu.cores).toBeGreaterThan(0)
  expect(hardware.ramBytes).toBeGreaterThan(100e6)
  expect(hardware.disk.freeBytes).toBeGreaterThan(0)
})
