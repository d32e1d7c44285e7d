import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readState, residentBytes } from '../../src/hardware/index.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gatehouse-state-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function says(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(name)), { recursive: true })
    writeFileSync(join(root, name), `${text}\n`)
  }
}

test('a machine says how hot, how full and how worn it is', () => {
  says({
    'proc/uptime': '86400.51 1000.00',
    'proc/meminfo': 'MemTotal:        8000000 kB\nMemFree:  1000 kB\nMemAvailable:    6000000 kB',
    'proc/42/status': 'Name:\tbun\nVmRSS:\t  120000 kB',
    'sys/class/thermal/thermal_zone0/type': 'cpu-thermal',
    'sys/class/thermal/thermal_zone0/temp': '51000',
    'sys/class/thermal/cooling_device0/type': 'cpufreq-cpu0',
    'sys/class/thermal/cooling_device0/cur_state': '0',
    'sys/class/block/mmcblk0/device/life_time': '0x02 0x03',
    'sys/class/block/mmcblk0/device/pre_eol_info': '0x01',
  })
  expect(readState(root)).toEqual({
    heat: { zone: 'cpu-thermal', celsius: 51, limit: 85 },
    slowed: false,
    memory: { total: 8_192_000_000, available: 6_144_000_000 },
    upSeconds: 86_400.51,
    wear: { disk: 'mmcblk0', usedPercent: 30, endsSoon: false },
  })
  expect([residentBytes(42, root), residentBytes(43, root)]).toEqual([122_880_000, null])
})

test('one that is slowed, or whose disk is nearly worn out, says so; nothing is made up', () => {
  says({
    'sys/class/thermal/cooling_device3/type': 'Processor',
    'sys/class/thermal/cooling_device3/cur_state': '2',
  })
  expect(readState(root).slowed).toBe(true)
  // A Raspberry Pi: what was once (the upper half) is not what is now.
  says({ 'sys/devices/platform/soc/soc:firmware/get_throttled': '50000' })
  expect(readState(root).slowed).toBe(false)
  says({ 'sys/devices/platform/soc/soc:firmware/get_throttled': '50004' })
  expect(readState(root).slowed).toBe(true)
  says({
    'sys/class/block/mmcblk1/device/life_time': '0x0b 0x01',
    'sys/class/block/mmcblk1/device/pre_eol_info': '0x03',
    'sys/class/block/mmcblk0/device/life_time': '0x00 0x00',
  })
  expect(readState(root).wear).toEqual({ disk: 'mmcblk1', usedPercent: 100, endsSoon: true })
  expect(readState(join(root, 'nowhere'))).toEqual({
    ...{ heat: null, slowed: null, memory: null, upSeconds: null, wear: null },
  })
})
