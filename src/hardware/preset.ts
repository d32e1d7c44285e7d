import type { Hardware, Preset } from './types.ts'

/**
 * The limits of AI steps before this box has been measured. `gpu` only where a device is there that a language
 * model really runs on quicker, and that this process may open.
 */
export function choosePreset(hardware: Hardware): Preset {
  const usable = hardware.gpus.find(gpu => gpu.usable.yes)
  if (usable) return { preset: 'gpu', calls: 6, seconds: 45, why: `${usable.name}: ${usable.usable.why}.` }
  const why =
    hardware.gpus.length === 0
      ? 'No graphics processor was found.'
      : hardware.gpus.map(gpu => `${gpu.name} is not used: ${gpu.usable.why}.`).join(' ')
  return { preset: 'cpu', calls: 4, seconds: 120, why }
}
