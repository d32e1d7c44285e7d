import { choosePreset, describe, hardwareJson, probe } from '../hardware/index.ts'
import { type Command, exit, print, readArgs } from './command.ts'
import { dataFolder } from './data-folder.ts'

export const hardware: Command = {
  usage: 'hardware [--data FOLDER] [--json]',
  summary: 'what this box has, which limits follow, and why',
  async run(args) {
    const { values } = readArgs(args, { data: { type: 'string' }, json: { type: 'boolean' } })
    const found = probe({ dataPath: dataFolder(values.data) })
    const preset = choosePreset(found)
    print(values.json ? JSON.stringify(hardwareJson(found, preset)) : describe(found, preset))
    return exit.done
  },
}
