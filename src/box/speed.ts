import type { BoxSpeed } from '../engine/index.ts'
import { type Hardware, type Preset, readMeasured } from '../hardware/index.ts'
import type { Site } from '../site/index.ts'

/** How quick this box was measured to be with the model that its site asks; null: it was never measured. */
export function boxSpeed(dataDir: string, hardware: Hardware, preset: Preset, site: Site): BoxSpeed | null {
  const measured = readMeasured(dataDir, hardware)
  if (!measured) return null
  const { language } = site
  const asked = language?.kind === 'file' && language.file === measured.language?.file
  return {
    at: measured.at,
    seconds: preset.seconds,
    detectSeconds: measured.detect?.seconds ?? null,
    readSeconds: measured.read?.seconds ?? null,
    turnSeconds: asked ? (measured.language?.turn_seconds ?? null) : null,
  }
}
