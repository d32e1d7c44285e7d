import { basename } from 'node:path'
import type { Root } from './read.ts'
import type { Gpu } from './types.ts'

const vendors: Record<string, Gpu['vendor']> = { '0x10de': 'nvidia', '0x1002': 'amd', '0x8086': 'intel' }

const vendorNames: Record<Gpu['vendor'], string> = {
  nvidia: 'NVIDIA',
  amd: 'AMD',
  intel: 'Intel',
  other: 'graphics',
}

/** A language model of some use (3 to 4 billion parameters at 4 bits, and its context) takes this much. */
const leastMemory = 4 * 1024 ** 3

/** Intel's integrated graphics are always this PCI function. */
const intelIntegrated = '0000:00:02.0'

/** Graphics devices of `/sys/class/drm`, and NVIDIA's through its own driver (also Jetson's). */
export function readGpus(root: Root): Gpu[] {
  const cards = root.list('sys/class/drm').filter(name => /^card\d+$/.test(name))
  const gpus = cards.map(card => readCard(root, card)).filter(gpu => gpu !== null)
  return [...gpus, ...readNvidia(root), ...readJetson(root)]
}

function readCard(root: Root, card: string): Gpu | null {
  const device = `sys/class/drm/${card}/device`
  const driver = root.target(`${device}/driver`)
  const vendorId = root.text(`${device}/vendor`)
  const vendor = vendors[vendorId ?? ''] ?? 'other'
  // Its own driver lists it under `/proc`, with its name: see `readNvidia`.
  if (vendor === 'nvidia' && driver === 'nvidia') return null
  const slot = basename(root.resolve(device) ?? '')
  const memoryBytes = Number(root.text(`${device}/mem_info_vram_total`)) || null
  const node = root.list(`${device}/drm`).find(name => name.startsWith('renderD'))
  const name = [vendorNames[vendor], root.text(`${device}/device`) ?? slot].join(' ').trim()
  const gpu = { vendor, name, driver, memoryBytes }
  const no = (why: string): Gpu => ({ ...gpu, usable: { yes: false, why } })
  if (vendor === 'other') return no('it draws a screen, it does not compute')
  if (vendor === 'nvidia') return no("it runs with another driver than NVIDIA's own")
  if (vendor === 'intel' && slot === intelIntegrated)
    return no('it is integrated: no quicker than the processor')
  if (vendor === 'amd' && memoryBytes !== null && memoryBytes < leastMemory)
    return no('it has less than 4 GB of its own')
  if (!node || !root.exists(`dev/dri/${node}`)) return no('its driver offers no device for computing')
  if (!root.opens(`dev/dri/${node}`))
    return no(`this user may not open /dev/dri/${node}: add it to the group render`)
  return { ...gpu, usable: { yes: true, why: `it computes through /dev/dri/${node}` } }
}

/** Cards that NVIDIA's driver lists under `/proc`: they need not appear under DRM. */
function readNvidia(root: Root): Gpu[] {
  return root.list('proc/driver/nvidia/gpus').map((slot, index) => {
    const information = root.text(`proc/driver/nvidia/gpus/${slot}/information`) ?? ''
    const model = /^Model:\s*(.+)$/m.exec(information)?.[1] ?? `NVIDIA ${slot}`
    const minor = /^Device Minor:\s*(\d+)$/m.exec(information)?.[1] ?? String(index)
    const nodes = [`dev/nvidia${minor}`, 'dev/nvidiactl']
    const yes = nodes.every(node => root.opens(node))
    const why = yes ? `it computes through /${nodes[0]}` : `this user may not open /${nodes.join(' and /')}`
    return { vendor: 'nvidia', name: model, driver: 'nvidia', memoryBytes: null, usable: { yes, why } }
  })
}

/** The GPU inside NVIDIA's Tegra chips, which is no PCI device. */
function readJetson(root: Root): Gpu[] {
  const node = ['dev/nvhost-gpu', 'dev/nvgpu/igpu0/ctrl'].find(path => root.exists(path))
  if (!node) return []
  const yes = root.opens(node)
  const why = yes
    ? `it computes through /${node}`
    : `this user may not open /${node}: add it to the group video`
  return [
    { vendor: 'nvidia', name: 'NVIDIA Tegra', driver: 'nvgpu', memoryBytes: null, usable: { yes, why } },
  ]
}

/** Accelerators that the kernel shows; named only. */
export function readNpus(root: Root): string[] {
  const accelerators = root.list('sys/class/accel').map(name => {
    const driver = root.target(`sys/class/accel/${name}/device/driver`)
    return driver === 'intel_vpu' ? 'Intel NPU' : `accelerator (${driver ?? 'unknown driver'})`
  })
  const devices = root.list('dev')
  if (devices.some(name => /^hailo\d+$/.test(name))) accelerators.push('Hailo')
  if (devices.some(name => /^apex_\d+$/.test(name))) accelerators.push('Google Coral')
  if (devices.includes('rknpu') || root.exists('sys/class/misc/rknpu')) accelerators.push('Rockchip NPU')
  return accelerators
}
