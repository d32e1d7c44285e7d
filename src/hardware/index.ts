export { boxClass } from './box-class.ts'
export { describe, hardwareJson, notesOn } from './describe.ts'
export { type Heat, readHeat } from './heat.ts'
export {
  fingerprint,
  keepMeasured,
  type Measured,
  type MeasuredLimits,
  measuredLimits,
  readMeasured,
} from './measured.ts'
export { choosePreset } from './preset.ts'
export { type ProbeOptions, probe } from './probe.ts'
export { type MachineState, readState, residentBytes } from './state.ts'
export type { Cpu, DiskKind, Gpu, Hardware, Preset } from './types.ts'
export { unitDropIns, unitLimits } from './unit-limits.ts'
