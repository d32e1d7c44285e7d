/** How much memory each of the two services may take on a box, so that inference ends before the engine does. */
export interface UnitLimits {
  engine: { highMb: number; maxMb: number; oomScore: number }
  inference: { highMb: number; maxMb: number; oomScore: number }
}

const MB = 1024 * 1024

/**
 * The engine gets a fifth of the memory, within what it was seen to need and to use together with the programs that it
 * has read streams, paint over clips and make backups; the system keeps a tenth and at least 160 MB; inference gets what is left, so that both at their limits still leave the machine alive.
 */
export function unitLimits(ramBytes: number): UnitLimits {
  const ram = Math.floor(ramBytes / MB)
  const engine = clamp(ram / 5, 288, 768)
  const system = clamp(ram / 10, 160, 768)
  const inference = Math.max(256, ram - engine - system)
  return {
    engine: { highMb: rounded(engine * 0.75), maxMb: rounded(engine), oomScore: -500 },
    inference: { highMb: rounded(inference * 0.9), maxMb: rounded(inference), oomScore: 500 },
  }
}

/** The drop-in of each service, by the service's name. */
export function unitDropIns(ramBytes: number): Record<string, string> {
  const limits = unitLimits(ramBytes)
  const text = ({ highMb, maxMb, oomScore }: UnitLimits['engine']) =>
    [
      `# Of the ${Math.round(ramBytes / MB)} MB of this box; written anew by each installation and update.`,
      '[Service]',
      ...[`MemoryHigh=${highMb}M`, `MemoryMax=${maxMb}M`, `OOMScoreAdjust=${oomScore}`, ''],
    ].join('\n')
  return { 'gatehouse.service': text(limits.engine), 'gatehouse-inference.service': text(limits.inference) }
}

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
const rounded = (mb: number) => Math.floor(mb / 16) * 16
