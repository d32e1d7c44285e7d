import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { measureBox } from '../box/measure.ts'
import { resources } from '../box/resources.ts'
import { GatehouseError, systemClock } from '../core/index.ts'
import {
  choosePreset,
  describe,
  type Hardware,
  hardwareJson,
  keepMeasured,
  type Preset,
  probe,
  readMeasured,
  unitDropIns,
} from '../hardware/index.ts'
import { type Command, exit, print, readArgs } from './command.ts'
import { dataFolder } from './data-folder.ts'
import { modelsBox, siteOf } from './models-box.ts'

export const hardware: Command = {
  usage: 'hardware [--measure] [--units FOLDER] [--data FOLDER] [--json]',
  summary:
    'what this box has, how quick it is, which limits follow, and why; --units writes the memory limits of its services',
  async run(args) {
    const { values } = readArgs(args, {
      measure: { type: 'boolean' },
      units: { type: 'string' },
      data: { type: 'string' },
      json: { type: 'boolean' },
    })
    const dataDir = dataFolder(values.data)
    const found = probe({ dataPath: dataDir })
    if (values.units !== undefined) return writeUnits(values.units, found.ramBytes)
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

/** A drop-in beside each of the two services; `folder`: where systemd looks for them. */
async function writeUnits(folder: string, ramBytes: number): Promise<number> {
  if (ramBytes === 0)
    throw new GatehouseError('no_memory_known', 'It is not known how much memory this box has.')
  for (const [service, text] of Object.entries(unitDropIns(ramBytes))) {
    const file = join(folder, `${service}.d`, '40-memory.conf')
    await mkdir(dirname(file), { recursive: true })
    await writeFile(`${file}.partial`, text)
    await rename(`${file}.partial`, file)
    print(file)
  }
  return exit.done
}
