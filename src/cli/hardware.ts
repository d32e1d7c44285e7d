import { mkdir } from 'node:fs/promises'
import { measureBox } from '../box/measure.ts'
import { resources } from '../box/resources.ts'
import { systemClock } from '../core/index.ts'
import {
  choosePreset,
  describe,
  type Hardware,
  hardwareJson,
  keepMeasured,
  type Preset,
  probe,
  readMeasured,
} from '../hardware/index.ts'
import { type Command, exit, print, readArgs } from './command.ts'
import { dataFolder } from './data-folder.ts'
import { modelsBox, siteOf } from './models-box.ts'

export const hardware: Command = {
  usage: 'hardware [--measure] [--data FOLDER] [--json]',
  summary: 'what this box has, how quick it is, which limits follow, and why',
  async run(args) {
    const { values } = readArgs(args, {
      measure: { type: 'boolean' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    })
    const dataDir = dataFolder(values.data)
    const found = probe({ dataPath: dataDir })
    const preset = choosePreset(found)
    const problems = values.measure ? await measure(dataDir, found, preset) : []
    const measured = readMeasured(dataDir, found)
    print(
      values.json ? JSON.stringify(hardwareJson(found, preset, measured)) : describe(found, preset, measured),
    )
    for (const problem of problems) process.stderr.write(`gatehouse: not measured: ${problem}\n`)
    return problems.length ? exit.failed : exit.done
  },
}

/** Measures with the model that the site asks, else with the first one that was brought. */
async function measure(dataDir: string, hardware: Hardware, preset: Preset): Promise<string[]> {
  const { installed } = modelsBox(dataDir)
  const { site } = await siteOf(dataDir)
  const brought = await installed.list()
  const named = site.language?.kind === 'file' ? site.language.file : null
  const file = named ?? brought.find(({ record }) => record?.facts.task === 'language')?.file ?? null
  const { measured, problems } = await measureBox({
    hardware,
    preset,
    resources: resources(),
    clock: systemClock,
    language: file === null ? null : { file, path: installed.path(file) },
    ...(process.stderr.isTTY && { onStep: (what: string) => process.stderr.write(`measuring ${what}\n`) }),
  })
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await keepMeasured(dataDir, measured)
  return problems
}
