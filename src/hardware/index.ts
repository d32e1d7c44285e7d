export { describe, hardwareJson, notesOn } from './describe.ts'
export { choosePreset } from './preset.ts'
export { type ProbeOptions, probe } from './probe.ts'
export type { Cpu, DiskKind, Gpu, Hardware, Preset } from './types.ts'
