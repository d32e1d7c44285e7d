import type { LanguageModel } from '../ai/index.ts'
import { fileModels, SiteLanguage } from '../box/language.ts'
import type { Resources } from '../box/resources.ts'
import { boxSpeed } from '../box/speed.ts'
import { FileSecrets, SiteHttp } from '../connect/index.ts'
import { noLog, systemClock } from '../core/index.ts'
import { boxClass, choosePreset, type Preset, probe } from '../hardware/index.ts'
import { Supervisor } from '../inference/index.ts'
import { Catalogue, InstalledModels } from '../models/index.ts'
import type { Site } from '../site/index.ts'
import {
  calibrationOf,
  detectorOf,
  Eyes,
  type MeasuredSpec,
  measure,
  readerOf,
  type Seen,
} from '../vision/index.ts'

/** What judging works with on this box: its eyes and its site's language model, without engine and data. */
export interface EvalBox {
  language: LanguageModel | null
  /** Whom Looks at pictures ask instead; null: nobody. */
  vision: LanguageModel | null
  eyes: { vision: Eyes; measure(spec: MeasuredSpec, seen: Seen): ReturnType<typeof measure> }
  /** Names of detector and reader. */
  eyesName: string
  preset: Preset
  /** What a turn of the model was measured to take here; null: not measured. */
  turnSeconds: number | null
  class: string
  about: string
  stop(): Promise<void>
}

export function evalBox(site: Site, dataDir: string, resources: Resources): EvalBox {
  const hardware = probe({ dataPath: dataDir })
  const preset = choosePreset(hardware)
  const catalogue = Catalogue.load(resources.models)
  const child = (name?: string) =>
    new Supervisor({
      command: [...resources.command, 'inference'],
      modelsDir: catalogue.filesDir,
      log: noLog,
      ...(name !== undefined && { name }),
      clock: systemClock,
    })
  const [sight, speech] = [child(), child('language')]
  const language = new SiteLanguage({
    site: () => site,
    http: new SiteHttp({
      site: () => site,
      secrets: new FileSecrets(dataDir),
      ownPorts: () => [],
      clock: systemClock,
    }),
    clock: systemClock,
    ...fileModels({
      inference: speech,
      installed: new InstalledModels({ dataDir, catalogue, hardware, clock: systemClock }),
      hardware,
      preset,
      clock: systemClock,
    }),
  })
  const detector = catalogue.forTask('detect')
  const reader = catalogue.forTask('read')
  const calibration = calibrationOf(detector, reader)
  return {
    language: language.model,
    vision: language.vision,
    eyes: {
      vision: new Eyes(sight, { detector: detectorOf(detector), reader: readerOf(reader) }),
      measure: (spec, seen) => measure(spec, seen, calibration),
    },
    eyesName: `${detector.name} + ${reader.name}`,
    preset,
    turnSeconds: boxSpeed(dataDir, hardware, preset, site)?.turnSeconds ?? null,
    class: boxClass(hardware, preset),
    about: `${hardware.cpu.model ?? hardware.arch}, ${hardware.cpu.cores} cores, ${Math.round(hardware.ramBytes / 1024 ** 3)} GB. ${preset.why}`,
    stop: async () => {
      await Promise.all([sight.stop(), speech.stop()])
    },
  }
}
